/** The library of an invented engineering consultancy: what the pipeline reads, and what people ask about it. */
export interface LibraryDocument {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly language: string;
  readonly pages: number;
  /** Read from a picture instead of from text. */
  readonly isScanned?: boolean;
  readonly chunks: readonly string[];
  readonly summary: string;
  readonly keywords: readonly string[];
}

export const LIBRARY_DOCUMENTS: readonly LibraryDocument[] = [
  {
    id: 'doc-harbour-bridge',
    title: 'Inspection report: Westhaven harbour footbridge',
    file: 'inspections/2026/westhaven-footbridge.pdf',
    language: 'en',
    pages: 34,
    chunks: [
      'The footbridge spans 62 m in three bays. Inspection took place on 14 and 15 September 2026 by rope access, in dry weather, with the deck closed to the public.',
      'Section loss from corrosion reaches 18 % of the flange thickness at bearing B2. The limit for immediate action is 25 %; at the rate measured since 2022 it would be reached in early 2029.',
      'Two of the eight hanger rods on the east side carry 30 % less tension than designed. The likely cause is a slipped clamp after the ship impact of March 2025.',
      'We recommend to blast and recoat the bearings in 2027, to re-tension the east hangers before the winter, and to lower the speed limit for service vehicles to 10 km/h until then.',
    ],
    summary:
      'The bridge is safe to use. Corrosion at bearing B2 (18 % section loss) and two slack hangers on the east side need work before winter and in 2027 respectively; service vehicles are limited to 10 km/h until then.',
    keywords: ['bridge', 'corrosion', 'hangers', 'inspection'],
  },
  {
    id: 'doc-heatpump-study',
    title: 'Feasibility of a river heat pump for the Oststadt district',
    file: 'studies/oststadt-heat-pump.docx',
    language: 'en',
    pages: 58,
    chunks: [
      'The district network supplies 4,300 flats and peaks at 22 MW. River water never falls below 3.1 °C in the twelve years on record, which leaves a usable spread of 2 K on the coldest days.',
      'A 12 MW heat pump covers 81 % of the annual heat at a seasonal performance factor of 2.9. The existing gas boilers remain for the hundred coldest hours.',
      'Investment is estimated at 19.4 million EUR including intake and fish protection. With electricity at 0.14 EUR/kWh the heat costs 78 EUR/MWh, nine less than gas with the 2030 carbon price.',
      'The main risk is the permit: the water authority limits warming of the river to 0.5 K downstream, which the design meets with a margin of 0.1 K only in August.',
    ],
    summary:
      'A 12 MW river heat pump can cover 81 % of the heat for 4,300 flats at 78 EUR/MWh. Technically sound; the permit on river temperature in August is the main risk.',
    keywords: ['heat pump', 'district heating', 'permit', 'cost'],
  },
  {
    id: 'doc-travel-policy',
    title: 'Travel and expenses policy, version 8',
    file: 'policies/travel-and-expenses-v8.md',
    language: 'en',
    pages: 9,
    chunks: [
      'Journeys under six hours are made by train. A flight needs the approval of the team lead and a sentence on why the train does not work.',
      'Hotels are reimbursed up to 140 EUR a night, 190 EUR in London, Zürich, Oslo and Copenhagen. Breakfast is included in the limit.',
      'Receipts are uploaded within 30 days. A photo suffices when date, amount, VAT and the name of the seller can be read; a card slip alone does not.',
      'Whoever works on a site beyond 20:00 may take a taxi home. Tips up to 10 % are reimbursed when they stand on the receipt.',
    ],
    summary:
      'Train below six hours, hotels up to 140 EUR (190 EUR in four expensive cities), receipts within 30 days, taxis after 20:00.',
    keywords: ['travel', 'hotel', 'receipts', 'approval'],
  },
  {
    id: 'doc-invoice-4471',
    title: 'Invoice 4471, Vermeulen Metaalwerken',
    file: 'scans/2026-11/invoice-4471.png',
    language: 'nl',
    pages: 1,
    isScanned: true,
    chunks: [
      'Factuur 4471, 3 november 2026. Vermeulen Metaalwerken bv, Havenlaan 12, 9000 Gent. Levering en montage van twee hangstangen M36, verzinkt.',
      'Subtotaal 6.840,00 EUR; btw 21 % 1.436,40 EUR; totaal 8.276,40 EUR. Te betalen binnen 30 dagen op BE71 0961 2345 6769.',
    ],
    summary: 'Factuur over 8.276,40 EUR voor twee verzinkte hangstangen M36, te betalen vóór 3 december 2026.',
    keywords: ['factuur', 'hangstangen', 'btw'],
  },
  {
    id: 'doc-noise-map',
    title: 'Lärmgutachten Umgehungsstraße Nord',
    file: 'gutachten/laerm-umgehung-nord.pdf',
    language: 'de',
    pages: 41,
    chunks: [
      'An 14 von 212 Gebäuden wird der Nachtgrenzwert von 49 dB(A) überschritten, höchstens um 3,2 dB(A) am Haus Lindenweg 9.',
      'Eine Wand von 3,5 m Höhe und 410 m Länge senkt den Pegel um 6 bis 8 dB(A) und kostet rund 1,2 Mio. EUR.',
      'Ein Tempolimit von 60 km/h zwischen 22 und 6 Uhr senkt ihn um 2,1 dB(A) und genügt für neun der vierzehn Gebäude.',
    ],
    summary:
      'Vierzehn Gebäude liegen nachts über dem Grenzwert. Ein nächtliches Tempolimit genügt für neun davon, eine Lärmschutzwand für alle.',
    keywords: ['Lärm', 'Grenzwert', 'Tempolimit', 'Lärmschutzwand'],
  },
  {
    id: 'doc-minutes-board',
    title: 'Minutes of the project board, 27 October 2026',
    file: 'minutes/board-2026-10-27.docx',
    language: 'en',
    pages: 4,
    chunks: [
      'Present: Brandt (chair), Osei, Laurent, Pietilä. Apologies: Moreau. The minutes of 29 September were approved with one correction in item 3.',
      'Tunnel ventilation: tender opened, three bids between 3.1 and 3.9 million EUR. Laurent checks whether bid 2 covers the jet-fan foundations. Decision on 10 November.',
      'Staffing: two structural engineers start in January. Osei proposes to lend Pietilä to the harbour project for six weeks; agreed.',
      'Any other business: the photo archive moves to the new library by the end of the year. Old shares become read-only on 15 December.',
    ],
    summary:
      'Three bids for the tunnel ventilation, decision on 10 November; two engineers start in January; Pietilä helps the harbour project for six weeks; old file shares become read-only on 15 December.',
    keywords: ['board', 'tender', 'staffing', 'archive'],
  },
  {
    id: 'doc-concrete-guide',
    title: 'Guide: concrete in cold weather',
    file: 'guides/concrete-cold-weather.pdf',
    language: 'en',
    pages: 16,
    chunks: [
      'Below 5 °C the mix must reach the site at 10 °C or more. Water may be heated to 60 °C, aggregates to 40 °C; cement is never heated.',
      'Fresh concrete must not freeze before it has 5 N/mm². With CEM I 42.5 and 320 kg/m³ that takes about 18 hours at 10 °C and 40 hours at 5 °C.',
      'Cover slabs with two layers of insulating mats and keep the edges closed: three quarters of all frost damage starts at a corner.',
      'Record the core temperature each hour with two sensors per pour. Remove formwork only when the maturity curve, not the calendar, allows it.',
    ],
    summary: 'Deliver at 10 °C, protect until 5 N/mm², cover corners, and strip formwork by measured maturity.',
    keywords: ['concrete', 'frost', 'curing', 'formwork'],
  },
  {
    id: 'doc-safety-alert',
    title: 'Safety alert 2026-07: lithium batteries on site',
    file: 'safety/alert-2026-07.md',
    language: 'en',
    pages: 2,
    chunks: [
      'On 8 July a tool battery caught fire in a van at 52 °C. Nobody was hurt; the van is a total loss.',
      'From now on batteries travel in the ventilated box behind the seats, never in the sun, and charge only in the marked area with a smoke alarm.',
      'A battery that fell from more than two metres, smells sweet or is swollen goes into the red sand box at once. Call the site manager before anything else.',
    ],
    summary:
      'After a van fire, batteries travel in a ventilated box and charge in marked areas; damaged ones go into the sand box.',
    keywords: ['safety', 'lithium', 'battery', 'fire'],
  },
  {
    id: 'doc-eau-potable',
    title: "Étude de fuites du réseau d'eau potable, vallée de l'Arve",
    file: 'etudes/fuites-arve.pdf',
    language: 'fr',
    pages: 27,
    chunks: [
      'Le réseau compte 186 km de conduites, dont 61 km posés avant 1970. Le rendement mesuré est de 71 %, pour un objectif de 85 %.',
      "Douze capteurs acoustiques ont localisé 23 fuites en neuf semaines. Trois d'entre elles, près du pont de Marignier, représentent 44 % du volume perdu.",
      'Remplacer 4,8 km de fonte grise et régler la pression nocturne à 3,5 bar porterait le rendement à 84 % pour 2,9 millions EUR.',
    ],
    summary:
      'Trois fuites expliquent 44 % des pertes ; remplacer 4,8 km et baisser la pression la nuit porterait le rendement de 71 à 84 %.',
    keywords: ['eau potable', 'fuites', 'rendement', 'pression'],
  },
  {
    id: 'doc-scan-logbook',
    title: 'Crane logbook, page of 2 November 2026',
    file: 'scans/2026-11/crane-logbook-017.png',
    language: 'en',
    pages: 1,
    isScanned: true,
    chunks: [
      'Mon 2 Nov. Wind 9 m/s rising to 14 by noon; lifting stopped 12:10 to 15:40. Hook block greased. Load test 5 t passed.',
      'Remark in pencil: brake of the slewing gear squeals when cold, ask Henk to look at it before Thursday.',
    ],
    summary: 'Lifting paused for wind; load test passed; slewing brake squeals and should be checked before Thursday.',
    keywords: ['crane', 'logbook', 'wind', 'brake'],
  },
  {
    id: 'doc-standards-note',
    title: 'Note: what changed in the second-generation Eurocode 2',
    file: 'notes/eurocode-2-second-generation.md',
    language: 'en',
    pages: 12,
    chunks: [
      'Punching shear is now checked with the critical shear crack theory; for slabs thicker than 400 mm the resistance drops by up to 15 % against the first generation.',
      'Minimum cover depends on exposure resistance classes. Where a class is declared by the supplier, cover may be 5 to 10 mm smaller.',
      'Existing structures get their own annex with reduced partial factors when geometry and strength were measured.',
    ],
    summary:
      'Stricter punching shear for thick slabs, cover by resistance class, and an annex for existing structures.',
    keywords: ['Eurocode', 'punching shear', 'cover'],
  },
  {
    id: 'doc-tunnel-tender',
    title: 'Tender: ventilation of the Säntis service tunnel',
    file: 'tenders/saentis-ventilation.xlsx',
    language: 'en',
    pages: 22,
    chunks: [
      'Bid 1 (Aeroflux): 3.12 million EUR, delivery in 34 weeks, ten jet fans of 1,120 mm. Foundations by the client.',
      'Bid 2 (Norvent): 3.48 million EUR, delivery in 28 weeks, eight jet fans of 1,250 mm. Foundations not mentioned.',
      'Bid 3 (Ventosa): 3.91 million EUR, delivery in 30 weeks, everything included and five years of maintenance.',
    ],
    summary: 'Three bids from 3.12 to 3.91 million EUR; they differ mainly in foundations and maintenance.',
    keywords: ['tender', 'ventilation', 'jet fans'],
  },
];

export interface LibraryQuestion {
  readonly question: string;
  readonly document: string;
  readonly answer: string;
}

export const LIBRARY_QUESTIONS: readonly LibraryQuestion[] = [
  {
    question: 'How bad is the corrosion at Westhaven?',
    document: 'doc-harbour-bridge',
    answer:
      'Section loss reaches 18 % of the flange thickness at bearing B2 [1]. Action is due at 25 %, which at the present rate would be in early 2029 [1]; recoating is planned for 2027 [2].',
  },
  {
    question: 'May our service truck use the harbour footbridge at the moment?',
    document: 'doc-harbour-bridge',
    answer: 'Yes, at no more than 10 km/h until the east hangers are re-tensioned [1].',
  },
  {
    question: 'what does heat cost from the river heat pump compared to gas',
    document: 'doc-heatpump-study',
    answer:
      '78 EUR/MWh with electricity at 0.14 EUR/kWh, which is 9 EUR less than gas under the carbon price of 2030 [1].',
  },
  {
    question: 'Biggest risk of the Oststadt project?',
    document: 'doc-heatpump-study',
    answer:
      'The water permit: the river may warm by 0.5 K downstream, and in August the design keeps only 0.1 K of margin [1].',
  },
  {
    question: 'How much can I spend on a hotel in Oslo?',
    document: 'doc-travel-policy',
    answer: 'Up to **190 EUR** a night, breakfast included. Oslo is one of four cities with the higher limit [1].',
  },
  {
    question: 'Is a card slip enough as a receipt?',
    document: 'doc-travel-policy',
    answer: 'No. Date, amount, VAT and the seller must be readable; a photo of the full receipt is fine [1].',
  },
  {
    question: 'Wann muss die Rechnung von Vermeulen bezahlt werden?',
    document: 'doc-invoice-4471',
    answer:
      'Innerhalb von 30 Tagen nach dem 3. November, also bis zum 3. Dezember 2026; der Betrag ist 8.276,40 EUR [1].',
  },
  {
    question: 'Reicht ein Tempolimit gegen den Lärm an der Umgehungsstraße?',
    document: 'doc-noise-map',
    answer:
      'Nur teilweise: 60 km/h zwischen 22 und 6 Uhr genügt für neun der vierzehn betroffenen Gebäude. Für alle braucht es die 410 m lange Wand [1][2].',
  },
  {
    question: 'When do the old file shares become read-only?',
    document: 'doc-minutes-board',
    answer: 'On 15 December 2026, when the photo archive has moved to the new library [1].',
  },
  {
    question: 'Who helps out on the harbour project and for how long?',
    document: 'doc-minutes-board',
    answer: 'Pietilä, for six weeks [1].',
  },
  {
    question: 'minimum temperature for concrete delivery in winter?',
    document: 'doc-concrete-guide',
    answer:
      '10 °C on arrival when the air is below 5 °C. Water may be heated to 60 °C and aggregates to 40 °C, but never the cement [1].',
  },
  {
    question: 'How long until fresh concrete can freeze safely at 5 °C?',
    document: 'doc-concrete-guide',
    answer: 'About 40 hours with CEM I 42.5 at 320 kg/m³, until it has reached 5 N/mm² [1].',
  },
  {
    question: 'My drill battery fell off the scaffold, what now?',
    document: 'doc-safety-alert',
    answer:
      'If it fell more than two metres, put it into the red sand box at once and call the site manager before anything else [1].',
  },
  {
    question: 'Où se trouvent les plus grosses fuites ?',
    document: 'doc-eau-potable',
    answer: 'Près du pont de Marignier : trois fuites y représentent 44 % du volume perdu [1].',
  },
  {
    question: 'Why was the crane stopped on 2 November?',
    document: 'doc-scan-logbook',
    answer: 'Because of wind: it rose to 14 m/s by noon, and lifting was stopped from 12:10 to 15:40 [1].',
  },
  {
    question: 'Does the new Eurocode 2 lower punching resistance?',
    document: 'doc-standards-note',
    answer: 'Yes, for slabs thicker than 400 mm by up to 15 % against the first generation [1].',
  },
  {
    question: 'Which ventilation bid includes the foundations?',
    document: 'doc-tunnel-tender',
    answer:
      'Only bid 3 (Ventosa, 3.91 million EUR) says so. Bid 1 leaves them to the client, bid 2 does not mention them [1][2][3].',
  },
  {
    question: 'トンネル換気の入札で一番安いのはどれですか?',
    document: 'doc-tunnel-tender',
    answer: '入札1(Aeroflux、312万ユーロ)が最も安価ですが、基礎工事は発注者の負担です [1]。',
  },
];

export const SUMMARY_TEMPLATE = `Summarise the document for colleagues who decide whether to open it.
Title: {title}
Language of the summary: {language}
At most two sentences, with the figures that matter.

{text}`;

export const ANSWER_TEMPLATE = `Answer from the numbered passages alone and cite them like [1]. If they do not answer the question, say what is missing.

{passages}

Question: {question}`;
