/** Destinations with enough detail for a conversation to be about something. Hotels, trains and flights are invented. */
export interface Place {
  readonly city: string;
  readonly country: string;
  readonly airport: string;
  readonly currency: string;
  readonly hotels: readonly {
    readonly name: string;
    readonly area: string;
    readonly rating: number;
    readonly note: string;
  }[];
  readonly sights: readonly string[];
  readonly rainPlan: string;
  readonly dish: string;
  readonly weather: string;
  readonly lowC: number;
  readonly highC: number;
}

// biome-ignore format: short values side by side
export const PLACES: readonly Place[] = [
  {
    city: 'Lisbon', country: 'Portugal', airport: 'LIS', currency: 'EUR',
    hotels: [
      { name: 'Casa das Andorinhas', area: 'Graça', rating: 8.9, note: 'roof terrace over the river' },
      { name: 'Hotel Azulejo', area: 'Baixa', rating: 8.1, note: 'two minutes from the metro' },
    ],
    sights: ['the Miradouro da Senhora do Monte at sunset', 'the tile museum', 'tram 28 before eight in the morning'],
    rainPlan: 'the tile museum and a long lunch in Campo de Ourique market', dish: 'polvo à lagareiro',
    weather: 'light showers', lowC: 11, highC: 17,
  },
  {
    city: 'Kyoto', country: 'Japan', airport: 'KIX', currency: 'JPY',
    hotels: [
      { name: 'Ryokan Kikusui', area: 'Higashiyama', rating: 9.3, note: 'tatami rooms, shared cedar bath' },
      { name: 'Kamo River Stay', area: 'Kawaramachi', rating: 8.4, note: 'bicycles for guests' },
    ],
    sights: ['Fushimi Inari before seven', 'the moss garden at Gio-ji', 'Nishiki market 錦市場'],
    rainPlan: 'the railway museum and a tea ceremony in Uji', dish: 'yudōfu 湯豆腐',
    weather: 'clear', lowC: 6, highC: 15,
  },
  {
    city: 'Tromsø', country: 'Norway', airport: 'TOS', currency: 'NOK',
    hotels: [
      { name: 'Polarlys Pensjonat', area: 'Sentrum', rating: 8.6, note: 'wakes guests when the northern lights appear' },
      { name: 'Fjordbu', area: 'Kvaløya', rating: 9.0, note: 'cabins with sauna, car needed' },
    ],
    sights: ['the Arctic Cathedral', 'the cable car to Storsteinen', 'a silent whale trip by electric boat'],
    rainPlan: 'the polar museum and Mack brewery', dish: 'bacalao',
    weather: 'snow showers', lowC: -6, highC: -1,
  },
  {
    city: 'Bologna', country: 'Italy', airport: 'BLQ', currency: 'EUR',
    hotels: [
      { name: 'Albergo dei Portici', area: 'Centro', rating: 8.7, note: 'breakfast with warm focaccia' },
      { name: 'La Torre Corta', area: 'Santo Stefano', rating: 8.3, note: 'quiet courtyard' },
    ],
    sights: ['the portico up to San Luca', 'the anatomical theatre', 'the seven churches of Santo Stefano'],
    rainPlan: 'nothing changes: 38 km of porticoes keep you dry', dish: 'tortellini in brodo',
    weather: 'fog in the morning', lowC: 5, highC: 12,
  },
  {
    city: 'Oaxaca', country: 'Mexico', airport: 'OAX', currency: 'MXN',
    hotels: [
      { name: 'Casa Jacaranda', area: 'Jalatlaco', rating: 9.1, note: 'courtyard with a hundred-year-old tree' },
      { name: 'Hotel Monte Verde', area: 'Centro', rating: 8.2, note: 'pool, lively street' },
    ],
    sights: ['Monte Albán at opening time', 'the ethnobotanical garden', 'weavers in Teotitlán del Valle'],
    rainPlan: 'a mole workshop in Jalatlaco', dish: 'tlayuda with chapulines',
    weather: 'sunny', lowC: 12, highC: 26,
  },
  {
    city: 'Edinburgh', country: 'Scotland', airport: 'EDI', currency: 'GBP',
    hotels: [
      { name: 'Bruntsfield Rooms', area: 'Bruntsfield', rating: 8.8, note: 'view of Arthur’s Seat' },
      { name: 'The Close', area: 'Old Town', rating: 8.0, note: 'spiral stairs, no lift' },
    ],
    sights: ['Arthur’s Seat at dawn', 'Dean Village', 'the Writers’ Museum'],
    rainPlan: 'the National Museum, all day', dish: 'Cullen skink',
    weather: 'wind and rain', lowC: 4, highC: 9,
  },
  {
    city: 'Hoi An', country: 'Vietnam', airport: 'DAD', currency: 'VND',
    hotels: [
      { name: 'Nhà Vườn Cẩm Thanh', area: 'Cam Thanh', rating: 9.2, note: 'among rice fields, bicycles included' },
      { name: 'Lantern Lane', area: 'Old Town', rating: 8.5, note: 'tailor next door' },
    ],
    sights: ['the lantern market after dark', 'Tra Que herb village', 'Mỹ Sơn at sunrise'],
    rainPlan: 'a cooking class in Tra Que', dish: 'cao lầu',
    weather: 'heavy rain', lowC: 21, highC: 25,
  },
  {
    city: 'Ljubljana', country: 'Slovenia', airport: 'LJU', currency: 'EUR',
    hotels: [
      { name: 'Pri Zmaju', area: 'Center', rating: 8.7, note: 'beside the Dragon Bridge' },
      { name: 'Hostel Tivoli', area: 'Šiška', rating: 7.9, note: 'family rooms at the park' },
    ],
    sights: ['Plečnik’s library', 'the castle by funicular', 'Lake Bled by the early train'],
    rainPlan: 'Plečnik’s house and the Metelkova museums', dish: 'štruklji',
    weather: 'cloudy', lowC: 2, highC: 8,
  },
];

export const HOME_AIRPORTS = ['AMS', 'BER', 'CDG', 'MAN', 'ZRH', 'JFK', 'MAD'] as const;
