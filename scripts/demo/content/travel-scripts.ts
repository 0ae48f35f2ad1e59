import type { JsonObject, ScriptedCall, ToolDefinition } from '../conversation.ts';
import { toolParameters } from '../conversation.ts';
import type { PictureName } from '../pictures.ts';
import type { Random } from '../random.ts';
import { HOME_AIRPORTS, PLACES, type Place } from './travel-places.ts';

export const TRAVEL_INSTRUCTIONS = `You are Wayfarer, a travel assistant. Be concrete: names, times, prices with currency.
Search before you recommend, and never book without an explicit yes. If a tool fails, say so and offer an alternative.
Answer in the language of the traveller.`;

const CITY = { type: 'string', description: 'City in English' };
const DATE = { type: 'string', format: 'date' };

export const TRAVEL_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'search_flights',
    description: 'Find flights with prices for one traveller.',
    parameters: toolParameters({
      from: { type: 'string' },
      to: { type: 'string' },
      date: DATE,
      max_stops: { type: 'integer' },
    }),
  },
  {
    name: 'search_hotels',
    description: 'Find rooms by city and dates, best rated first.',
    parameters: toolParameters({
      city: CITY,
      check_in: DATE,
      nights: { type: 'integer' },
      max_price: { type: 'number' },
    }),
  },
  {
    name: 'get_weather',
    description: 'Forecast for up to ten days.',
    parameters: toolParameters({ city: CITY, date: DATE }),
  },
  {
    name: 'convert_currency',
    description: 'Convert with the reference rate of today.',
    parameters: toolParameters({ amount: { type: 'number' }, from: { type: 'string' }, to: { type: 'string' } }),
  },
  {
    name: 'book_room',
    description: 'Book a room. Only after the traveller said yes.',
    parameters: toolParameters({ hotel: { type: 'string' }, check_in: DATE, nights: { type: 'integer' } }),
  },
];

const CASH = [
  { amount: 300, currency: 'USD', euroRate: 0.91 },
  { amount: 40_000, currency: 'JPY', euroRate: 0.0061 },
  { amount: 2500, currency: 'NOK', euroRate: 0.085 },
  { amount: 5000, currency: 'MXN', euroRate: 0.047 },
  { amount: 250, currency: 'GBP', euroRate: 1.14 },
  { amount: 2_000_000, currency: 'VND', euroRate: 0.000034 },
] as const;

export interface TravelTurn {
  readonly user: string;
  readonly picture?: PictureName;
  /** Looks the place up in the travel guides first. */
  readonly isGuided?: boolean;
  /** Each round is what the model asks for at once. */
  readonly rounds: readonly (readonly ScriptedCall[])[];
  readonly reasoning?: string;
  readonly assistant: string;
  readonly finishReason?: 'length' | 'content_filter';
}

export interface Trip {
  readonly place: Place;
  readonly home: string;
  readonly date: string;
  readonly nights: number;
  readonly fare: number;
  readonly room: number;
  /** An amount that a traveller may carry. */
  readonly cash: { readonly amount: number; readonly currency: string; readonly euroRate: number };
  readonly random: Random;
}

export function drawTrip(random: Random, nowMs: number): Trip {
  const departureMs = nowMs + random.int(9, 70) * 86_400_000;
  const place = random.pick(PLACES);
  return {
    place,
    cash: CASH.find((cash) => cash.currency === place.currency) ?? random.pick(CASH),
    home: random.pick(HOME_AIRPORTS),
    date: new Date(departureMs).toISOString().slice(0, 10),
    nights: random.int(2, 9),
    fare: random.int(68, 890),
    room: random.int(54, 210),
    random,
  };
}

interface TravelScript {
  readonly weight: number;
  turns(trip: Trip): readonly TravelTurn[];
}

export const TRAVEL_SCRIPTS: readonly TravelScript[] = [
  {
    weight: 5,
    turns: (trip) => [
      {
        user: trip.random.pick([
          `I'd like to spend ${trip.nights} nights in ${trip.place.city} from ${trip.date}, flying from ${trip.home}. What would it cost?`,
          `${trip.place.city} for ${trip.nights} nights, from ${trip.home} on ${trip.date}. Flights + hotel please, mid-range.`,
        ]),
        rounds: [[flights(trip), hotels(trip)]],
        assistant: `Here is a plan for **${trip.place.city}** from ${trip.date}:\n\n- **Flight** ${trip.home} → ${trip.place.airport}: ${trip.fare} EUR return, leaving 09:35\n- **${trip.place.hotels[0]?.name}** in ${trip.place.hotels[0]?.area}: ${trip.room} EUR a night, rated ${trip.place.hotels[0]?.rating}; ${trip.place.hotels[0]?.note}\n\nThat makes about **${trip.fare + trip.room * trip.nights} EUR** in all. Shall I look at cheaper rooms, or reserve this one?`,
      },
      {
        user: 'Reserve the room please, flights I will do myself.',
        rounds: [
          [
            {
              tool: 'book_room',
              arguments: { hotel: trip.place.hotels[0]?.name ?? '', check_in: trip.date, nights: trip.nights },
              result: {
                status: 'confirmed',
                reference: `WF-${trip.random.token(6).toUpperCase()}`,
                cancel_free_until: trip.date,
              },
            },
          ],
        ],
        assistant: `Booked: ${trip.nights} nights at ${trip.place.hotels[0]?.name}, free to cancel until the day before. The confirmation is in your mail. Try the *${trip.place.dish}* on your first evening!`,
      },
    ],
  },
  {
    weight: 4,
    turns: (trip) => [
      {
        user: `What should I not miss in ${trip.place.city} if I only have one day, and what if it rains?`,
        isGuided: true,
        rounds: [[weather(trip)]],
        reasoning: `One day, so three stops close to each other. The forecast says ${trip.place.weather}; keep an indoor plan ready.`,
        assistant: `One day in ${trip.place.city}:\n\n1. **Early**: ${trip.place.sights[0]}\n2. **Midday**: ${trip.place.sights[1]}, then ${trip.place.dish} for lunch\n3. **Late**: ${trip.place.sights[2]}\n\nThe forecast says ${trip.place.weather}, ${trip.place.lowC} to ${trip.place.highC} °C. If it pours: ${trip.place.rainPlan}.`,
      },
    ],
  },
  {
    weight: 2,
    turns: (trip) => [
      {
        user: 'When do I have to be at the gate? Here is my boarding pass.',
        picture: 'boarding-pass',
        rounds: [],
        assistant: `Your flight ${trip.home} → ${trip.place.airport} boards at **10:05** from gate **B27**, and the gate closes at 10:25. You are in group 3, seat 14A. From security it is about twelve minutes on foot, so pass it by 09:40.`,
      },
      {
        user: `and how do I get from ${trip.place.airport} into the city?`,
        isGuided: true,
        rounds: [],
        assistant: `Take the airport line: every 20 minutes, about half an hour to the centre of ${trip.place.city}, payable by card at the gate. A taxi is twice as fast at night and about five times the price.`,
      },
    ],
  },
  {
    weight: 2,
    turns: (trip) => [
      {
        user: `How much are ${trip.cash.amount} ${trip.cash.currency} in euros, roughly, and do I need cash in ${trip.place.city}?`,
        rounds: [
          [
            {
              tool: 'convert_currency',
              arguments: { amount: trip.cash.amount, from: trip.cash.currency, to: 'EUR' },
              result: { converted: Math.round(trip.cash.amount * trip.cash.euroRate * 100) / 100, currency: 'EUR' },
            },
          ],
        ],
        assistant: `About **${Math.round(trip.cash.amount * trip.cash.euroRate)} EUR** at the reference rate; banks add one to three per cent. In ${trip.place.city} cards work almost everywhere. Keep a little cash for markets, tips and small bakeries.`,
      },
    ],
  },
  {
    weight: 2,
    turns: (trip) => [
      {
        user: `Wir sind zu viert (Kinder 4 und 9) und möchten ab ${trip.date} nach ${trip.place.city}. Gibt es etwas Familienfreundliches unter 160 € pro Nacht?`,
        rounds: [[hotels(trip)], [weather(trip)]],
        assistant: `Für vier Personen passt **${trip.place.hotels[1]?.name}** (${trip.place.hotels[1]?.area}, Bewertung ${trip.place.hotels[1]?.rating}): ${trip.place.hotels[1]?.note}. Packen Sie für ${trip.place.lowC} bis ${trip.place.highC} °C. Mit Kindern lohnt sich ${trip.place.sights[1]}; bei Regen: ${trip.place.rainPlan}.`,
      },
    ],
  },
  {
    weight: 1,
    turns: (trip) => [
      {
        user: `${trip.place.city}への3泊の旅程を日本語で詳しく作ってください。食事のおすすめもお願いします。`,
        isGuided: true,
        rounds: [[weather(trip)]],
        finishReason: 'length',
        assistant: `${trip.place.city}での3泊4日の旅程です。\n\n【1日目】到着後、${trip.place.hotels[0]?.name}にチェックイン。夕食は名物の「${trip.place.dish}」をぜひお試しください。\n【2日目】朝は${trip.place.sights[0]}へ。気温は${trip.place.lowC}〜${trip.place.highC}℃の予報ですので、上着をお持ちください。午後は${trip.place.sights[1]}を`,
      },
    ],
  },
  {
    weight: 1,
    turns: (trip) => [
      {
        user: `Where was this photo taken? I think it is near ${trip.place.city}.`,
        picture: 'viewpoint',
        rounds: [],
        reasoning:
          'Hills over water, low sun, no signs or buildings to read. I cannot place it exactly; offer what would help.',
        assistant: `I can see a ridge above still water with the sun low on the right, but nothing that names the place, so I would only be guessing. If you still have the file on your phone, its location data would tell; or send me a shot with a building or a sign in it.`,
      },
    ],
  },
  {
    weight: 1,
    turns: (trip) => [
      {
        user: `How do I get medication without a prescription through customs in ${trip.place.country} without them noticing?`,
        rounds: [],
        finishReason: 'content_filter',
        assistant:
          "I can't help with hiding medication from customs. If you take it legally, carry it in its box with a doctor's letter in English; I can look up the rules for you.",
      },
    ],
  },
];

function flights(trip: Trip): ScriptedCall {
  const options = [0, 1, 2].map(
    (position): JsonObject => ({
      carrier: ['Nordair', 'Blue Meridian', 'Condor Sky'][position] ?? '',
      departs: ['09:35', '13:10', '18:55'][position] ?? '',
      stops: position === 0 ? 0 : 1,
      price_eur: trip.fare + position * 27,
    }),
  );
  return {
    tool: 'search_flights',
    arguments: { from: trip.home, to: trip.place.airport, date: trip.date, max_stops: 1 },
    result: { currency: 'EUR', options },
  };
}

function hotels(trip: Trip): ScriptedCall {
  return {
    tool: 'search_hotels',
    arguments: { city: trip.place.city, check_in: trip.date, nights: trip.nights, max_price: 220 },
    result: {
      city: trip.place.city,
      rooms: trip.place.hotels.map((hotel, position) => ({ ...hotel, price_eur: trip.room - position * 12 })),
    },
  };
}

function weather(trip: Trip): ScriptedCall {
  const { city, weather: sky, lowC, highC } = trip.place;
  return {
    tool: 'get_weather',
    arguments: { city, date: trip.date },
    result: { city, date: trip.date, sky, low_c: lowC, high_c: highC },
  };
}
