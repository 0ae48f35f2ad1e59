import { type ToolDefinition, toolParameters } from '../conversation.ts';

const ORDER_ID = { type: 'string', pattern: '^HP-[0-9]{6}$', description: 'Order number as printed on the invoice.' };

export const SUPPORT_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'lookup_order',
    description: 'Read one order: items, status, payment and address. Only for the signed-in customer.',
    parameters: toolParameters({ order_id: ORDER_ID }),
  },
  {
    name: 'track_parcel',
    description: 'Ask the carrier for the latest scans of a parcel.',
    parameters: toolParameters({
      carrier: { type: 'string', enum: ['DHL', 'PostNL', 'Royal Mail', 'UPS'] },
      tracking_code: { type: 'string' },
    }),
  },
  {
    name: 'create_return',
    description: 'Open a return or an exchange and produce a shipping label.',
    parameters: toolParameters(
      {
        order_id: ORDER_ID,
        sku: { type: 'string' },
        reason: { type: 'string', enum: ['size', 'colour', 'damaged', 'wrong_item', 'changed_mind'] },
        exchange_for_sku: { type: 'string' },
      },
      'exchange_for_sku',
    ),
  },
  {
    name: 'issue_refund',
    description: 'Refund money for an order. Above 200 EUR a person has to approve it.',
    parameters: toolParameters({
      order_id: ORDER_ID,
      amount_eur: { type: 'number', minimum: 0.01 },
      reason: { type: 'string', maxLength: 200 },
    }),
  },
  {
    name: 'change_order',
    description: 'Change the address of an order or cancel it, as long as it is not being packed.',
    parameters: toolParameters(
      {
        order_id: ORDER_ID,
        action: { type: 'string', enum: ['cancel', 'change_address'] },
        address: { type: 'object', properties: { street: { type: 'string' }, postcode: { type: 'string' } } },
      },
      'address',
    ),
  },
  {
    name: 'check_stock',
    description: 'Stock of an item by warehouse and shop.',
    parameters: toolParameters({ sku: { type: 'string' }, near: { type: 'string', description: 'City' } }, 'near'),
  },
  {
    name: 'check_code',
    description: 'Say why a discount code does or does not apply.',
    parameters: toolParameters({ code: { type: 'string' } }),
  },
  {
    name: 'open_ticket',
    description: 'Hand the conversation to a colleague with a summary.',
    parameters: toolParameters({
      queue: { type: 'string', enum: ['warranty', 'payments', 'logistics', 'privacy'] },
      priority: { type: 'string', enum: ['low', 'normal', 'high'] },
      summary: { type: 'string' },
    }),
  },
];

export const SUPPORT_TEMPLATE = `You are Juniper, the assistant of Harrow & Pine, a shop for outdoor gear.
Answer in the customer's language ({{language}}), in at most {{sentence_limit}} sentences unless asked for more.
Use only the passages below and the results of your tools; when they do not answer the question, say so and offer a ticket.
Never promise a refund above 200 EUR. Today is {{today}}. The customer is {{customer}}, member since {{member_since}}.

Passages:
{{passages}}`;
