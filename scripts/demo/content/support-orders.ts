import type { ScriptedCall } from '../conversation.ts';
import type { SupportFacts } from './support-facts.ts';
import type { SupportScript } from './support-script.ts';

/** Conversations about orders, parcels, money and accounts. */
export const ORDER_SCRIPTS: readonly SupportScript[] = [
  {
    topic: 'where-is-my-order',
    weight: 5,
    turns: (f) => [
      {
        user: f.random.pick([
          `Hi, order ${f.orderId} was supposed to arrive on ${f.day(-1)} and there is still nothing. Can you check?`,
          `where is my parcel?? order ${f.orderId}`,
          `Good morning! I ordered the ${f.product.name} last week (${f.orderId}) and the tracking page has not moved for three days.`,
        ]),
        articles: ['hc-110'],
        calls: [
          lookup(f, 'shipped'),
          track(f, [
            { at: `${f.day(-3)} 21:14`, place: 'Tilburg', event: 'Picked up' },
            { at: `${f.day(-2)} 04:50`, place: 'Sorting centre Nieuwegein', event: 'Sorted' },
            { at: `${f.day(-1)} 07:32`, place: `Depot ${f.city}`, event: 'Delayed: vehicle full' },
          ]),
        ],
        assistant: `I'm sorry about the wait, ${f.firstName}. Your ${f.product.name} is at the ${f.carrier} depot in **${f.city}**: the van was full yesterday, so it is on the round again today and should reach you by **${f.day(1)}**. You can follow it with code \`${f.trackingCode}\`.`,
      },
      {
        user: f.random.pick([
          `Nobody is home tomorrow. Can they leave it with the neighbour at number ${f.random.int(2, 90)}?`,
          "ok. and if it doesn't come tomorrow?",
        ]),
        articles: ['hc-111', 'hc-113'],
        assistant: `Once a parcel has left us only ${f.carrier} can redirect it: open the tracking page, choose *Delivery options*, and pick a neighbour or a pick-up point before 22:00 tonight. If it has not arrived a day later, write to me here. We then open an investigation and send a replacement at once, because the order is ${f.product.price < 250 ? 'below' : 'close to'} 250 EUR.`,
      },
    ],
  },
  {
    topic: 'refund-status',
    weight: 3,
    turns: (f) => [
      {
        user: `I sent back the ${f.product.name} two weeks ago and my card ending in ${f.lastFour} still shows nothing. Order ${f.orderId}.`,
        articles: ['hc-102'],
        calls: [lookup(f, 'returned')],
        assistant: `Thanks for your patience, ${f.firstName}. The warehouse checked your return on ${f.day(-4)}, and we released **${f.product.price.toFixed(2)} EUR** to the card ending in ${f.lastFour} on ${f.day(-3)}. Banks need up to five working days, so it should be visible by ${f.day(3)}.`,
      },
      {
        user: 'The bank says they see nothing pending. Could you send me some proof I can show them?',
        articles: ['hc-102', 'hc-142'],
        calls: [
          {
            tool: 'open_ticket',
            arguments: {
              queue: 'payments',
              priority: 'normal',
              summary: `Customer needs the acquirer reference (ARN) for the refund of ${f.orderId}, ${f.product.price} EUR, card ending in ${f.lastFour}.`,
            },
            result: { ticket: `T-${f.random.digits(5)}`, queue: 'payments', first_reply_within: '1 working day' },
          },
        ],
        assistant:
          'Of course. Every card refund has an *acquirer reference number* that your bank can search for. I have asked our payments team to mail it to you; they reply within one working day.',
      },
    ],
  },
  {
    topic: 'return-wrong-size',
    weight: 4,
    turns: (f) => [
      {
        user: f.random.pick([
          `The ${f.product.name} in ${f.product.size} doesn't fit. Can I swap it for ${f.product.otherSize}? Order ${f.orderId}`,
          `Hello, I'd like to exchange my ${f.product.name} (${f.orderId}) for ${f.product.otherSize}, please.`,
        ]),
        articles: ['hc-103', 'hc-101'],
        calls: [lookup(f, 'delivered'), stock(f, f.random.int(2, 31))],
        assistant: `Yes, and ${f.product.otherSize} is in stock. Shall I open the exchange for order ${f.orderId}? I would reserve the new one now, and it ships as soon as ${f.carrier} scans your return.`,
      },
      {
        user: 'Yes please, do that.',
        articles: ['hc-103'],
        calls: [
          {
            tool: 'create_return',
            arguments: {
              order_id: f.orderId,
              sku: f.product.sku,
              reason: 'size',
              exchange_for_sku: `${f.product.sku.split('-')[0]}-${f.product.otherSize.toUpperCase()}`,
            },
            result: {
              return_id: `R-${f.random.digits(6)}`,
              label_url: `https://returns.harrowandpine.example/labels/${f.random.hex(6)}.pdf`,
              reserved_until: f.day(14),
            },
          },
        ],
        assistant: `Done! Your label is in the mail I just sent; drop the parcel at any ${f.carrier} point before **${f.day(14)}**. The exchange costs you nothing, even if the price has changed since you ordered. 🙂`,
      },
      {
        user: 'Great, thank you! Do I need the original box?',
        articles: ['hc-101'],
        assistant:
          'No, any sturdy box will do. Please keep the tags on and put the return slip inside, so the warehouse can match it within a day.',
      },
    ],
  },
  {
    topic: 'cancel-order',
    weight: 2,
    turns: (f) => [
      {
        user: `I ordered the wrong thing an hour ago, please cancel ${f.orderId}!`,
        articles: ['hc-113'],
        calls: [
          lookup(f, 'received'),
          {
            tool: 'change_order',
            arguments: { order_id: f.orderId, action: 'cancel' },
            result: { order_id: f.orderId, status: 'cancelled', refunded_eur: f.product.price },
          },
        ],
        assistant: `Caught it in time: order ${f.orderId} is cancelled, and ${f.product.price.toFixed(2)} EUR goes back to your card today. Would you like help finding the right one?`,
      },
    ],
  },
  {
    topic: 'change-address',
    weight: 2,
    turns: (f) => [
      {
        user: `I've moved to ${f.city}. Can you change the delivery address of ${f.orderId} to Kanaalstraat ${f.random.int(3, 190)}?`,
        articles: ['hc-113'],
        calls: [
          lookup(f, 'packing'),
          {
            tool: 'change_order',
            arguments: {
              order_id: f.orderId,
              action: 'change_address',
              address: { street: `Kanaalstraat ${f.random.int(3, 190)}`, postcode: f.random.digits(4) },
            },
            result: null,
            failure: `409 Conflict: order ${f.orderId} has status "packing"; the address is frozen`,
          },
        ],
        assistant: `I tried, but the order is already being packed, and from then on the address is frozen. You will get the ${f.carrier} link tonight: choose *Delivery options* → *Another address* there, free of charge. If that fails, refuse the parcel and we send it again to ${f.city} at our cost.`,
      },
    ],
  },
  {
    topic: 'lost-parcel',
    weight: 2,
    turns: (f) => [
      {
        user: `Tracking says "delivered, signed by RESIDENT" but I was at work and nobody has it. ${f.orderId}, tracking ${f.trackingCode}.`,
        articles: ['hc-111'],
        calls: [
          track(f, [
            { at: `${f.day(-2)} 08:11`, place: f.city, event: 'Out for delivery' },
            { at: `${f.day(-2)} 13:47`, place: f.city, event: 'Delivered, signed: RESIDENT', photo: false },
          ]),
          lookup(f, 'delivered'),
        ],
        assistant:
          'That signature is worthless without a photo, and the two days in which carriers scan early are over. I can open an investigation now; would you like a replacement to be sent in the meantime?',
      },
      {
        user: 'Yes, I leave for Norway on Saturday and really need it.',
        articles: ['hc-111', 'hc-110'],
        calls: [
          {
            tool: 'open_ticket',
            arguments: {
              queue: 'logistics',
              priority: 'high',
              summary: `Parcel ${f.trackingCode} marked delivered, not received. Replacement of ${f.product.sku} needed before Saturday.`,
            },
            result: { ticket: `T-${f.random.digits(5)}`, queue: 'logistics', first_reply_within: '2 hours' },
          },
        ],
        assistant: `It's with the logistics desk, marked urgent: they call you within two hours about the replacement ${f.product.name}. If express cannot make it by Friday, they will put one aside for you in the nearest shop instead.`,
      },
    ],
  },
  {
    topic: 'discount-code',
    weight: 2,
    turns: (f) => [
      {
        user: 'Your code AUTUMN20 does not work at checkout. It just says "not applicable".',
        articles: ['hc-140'],
        calls: [
          {
            tool: 'check_code',
            arguments: { code: 'AUTUMN20' },
            result: {
              code: 'AUTUMN20',
              is_active: true,
              excluded: [{ sku: f.product.sku, reason: 'already reduced by 35 %' }],
            },
          },
        ],
        assistant: `The code itself is fine. It does not apply to the ${f.product.name} in your basket, because that is already reduced by 35 % and codes stop at 30 %. It works on everything else you add.`,
      },
    ],
  },
  {
    topic: 'company-invoice',
    weight: 1,
    turns: (f) => [
      {
        user: `We need the invoice for ${f.orderId} made out to our company with VAT number BE0${f.random.digits(9)}.`,
        articles: ['hc-141'],
        calls: [lookup(f, 'shipped')],
        assistant:
          'Because the parcel has left already, the invoice can only be replaced by a credit note and a new one with your VAT number. Shall I ask the payments team to do that? It takes about two days and changes nothing about the delivery.',
      },
    ],
  },
  {
    topic: 'charged-twice',
    weight: 1,
    turns: (f) => [
      {
        user: `I was charged ${f.product.price} EUR twice for one order!! ${f.orderId}. This is not acceptable.`,
        articles: ['hc-142'],
        calls: [
          lookup(f, 'shipped'),
          {
            tool: 'issue_refund',
            arguments: { order_id: f.orderId, amount_eur: f.product.price, reason: 'Reported double charge' },
            result: null,
            failure: '422 Unprocessable: only one capture exists for this order; there is nothing to refund',
          },
        ],
        assistant: `I understand that two lines on a statement are alarming. We captured ${f.product.price.toFixed(2)} EUR once, on dispatch; the second line is the reservation of an earlier declined attempt, which your bank drops within seven days. If it turns into a booked charge, send me both amounts and we will refund it the same day.`,
      },
    ],
  },
  {
    topic: 'delete-account',
    weight: 1,
    turns: () => [
      {
        user: 'Please delete my account and everything you know about me, as is my right under the GDPR.',
        articles: ['hc-150'],
        calls: [
          {
            tool: 'open_ticket',
            arguments: {
              queue: 'privacy',
              priority: 'normal',
              summary: 'Erasure request (GDPR Art. 17), identity verified by sign-in.',
            },
            result: { ticket: 'T-88031', queue: 'privacy', first_reply_within: '3 working days' },
          },
        ],
        assistant:
          'Your request is registered. We delete the account within 30 days and confirm it by mail. Only invoices stay, blocked for any other use, for the seven years that tax law asks for. Would you like your reviews removed as well, or kept without your name?',
      },
    ],
  },
];

function lookup(f: SupportFacts, status: string): ScriptedCall {
  return {
    tool: 'lookup_order',
    arguments: { order_id: f.orderId },
    result: {
      order_id: f.orderId,
      status,
      placed_on: f.day(-9),
      items: [
        { sku: f.product.sku, name: f.product.name, variant: f.product.size, quantity: 1, price_eur: f.product.price },
      ],
      payment: { method: 'card', last_four: f.lastFour, captured_eur: status === 'received' ? 0 : f.product.price },
      shipping: { carrier: f.carrier, tracking_code: f.trackingCode, city: f.city },
    },
  };
}

function track(
  f: SupportFacts,
  scans: readonly { at: string; place: string; event: string; photo?: boolean }[],
): ScriptedCall {
  return {
    tool: 'track_parcel',
    arguments: { carrier: f.carrier, tracking_code: f.trackingCode },
    result: { tracking_code: f.trackingCode, scans: scans.map((scan) => ({ ...scan })) },
  };
}

function stock(f: SupportFacts, count: number): ScriptedCall {
  return {
    tool: 'check_stock',
    arguments: { sku: f.product.sku, near: f.city },
    result: {
      sku: f.product.sku,
      variants: { [f.product.size]: 4, [f.product.otherSize]: count },
      nearest_shop: 'Ghent',
    },
  };
}
