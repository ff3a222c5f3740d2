/**
 * Common short names of cities worldwide: initials, airport codes, nicknames. Names of records in the catalogue take
 * precedence. Words with another meaning ("man", "van", the German "ist") are left out.
 */
import { normalizeForSearch } from '../../text/fold.ts';

export type CityName = { name: string; country: string };

/** By country and city name: the short forms as returned by `normalizeForSearch`, without spaces. */
const table: Record<string, Record<string, string>> = {
  US: {
    'Los Angeles': 'la lax',
    'San Francisco': 'sf sfo frisco bayarea sfbayarea sanfranciscobayarea',
    'New York': 'nyc ny brooklyn manhattan bk',
    Washington: 'dc',
    'Las Vegas': 'lv vegas',
    'San Diego': 'sd',
    Philadelphia: 'philly phl',
    'New Orleans': 'nola',
    'Salt Lake City': 'slc',
    'St. Louis': 'stl saintlouis',
    Atlanta: 'atl',
    Chicago: 'chitown chgo',
    Detroit: 'dtw',
    Houston: 'htx',
    Dallas: 'dfw dtx',
    Austin: 'atx',
    Minneapolis: 'mpls msp',
    Portland: 'pdx',
    Phoenix: 'phx',
  },
  CA: { Toronto: 'yyz tdot', Montreal: 'mtl yul', Vancouver: 'yvr', Calgary: 'yyc', Ottawa: 'yow' },
  MX: { 'Mexico City': 'cdmx df mexicodf', Guadalajara: 'gdl', Monterrey: 'mty' },
  BR: {
    'São Paulo': 'sp sampa',
    'Rio de Janeiro': 'rj rio',
    'Belo Horizonte': 'bh',
    'Porto Alegre': 'poa',
    Florianópolis: 'floripa',
    Brasília: 'bsb',
  },
  AR: { 'Buenos Aires': 'ba bsas caba bue' },
  CO: { Bogotá: 'bog', Medellín: 'mde' },
  GB: {
    London: 'ldn',
    Manchester: 'mcr',
    Birmingham: 'brum bham bhx',
    Edinburgh: 'edi',
    Glasgow: 'gla',
    Liverpool: 'lpool',
    Nottingham: 'notts',
  },
  DE: {
    Berlin: 'bln ber',
    Hamburg: 'hh',
    Munich: 'muc',
    Cologne: 'cgn',
    Frankfurt: 'ffm fra frankfurtmain',
    Düsseldorf: 'dus ddorf',
    Leipzig: 'lej',
    Stuttgart: 'str',
  },
  NL: {
    Amsterdam: 'ams adam mokum',
    Rotterdam: 'rtm rdam',
    'The Hague': 'denhaag',
    "'s-Hertogenbosch": 'denbosch',
  },
  BE: { Brussels: 'bxl bru', Antwerp: 'anr' },
  FR: { Paris: 'cdg', Marseille: 'mrs', Toulouse: 'tls', Bordeaux: 'bdx' },
  ES: { Barcelona: 'bcn barna', Valencia: 'vlc', Ibiza: 'ibz', Málaga: 'agp' },
  PT: { Lisbon: 'lis lx' },
  IT: { Milan: 'mil mxp', Turin: 'trn', Bologna: 'blq' },
  CH: { Zurich: 'zrh', Geneva: 'gva' },
  AT: { Vienna: 'vie' },
  DK: { Copenhagen: 'cph kbh' },
  SE: { Stockholm: 'sthlm', Gothenburg: 'gbg' },
  NO: { Oslo: 'osl' },
  FI: { Helsinki: 'hki' },
  IS: { Reykjavík: 'rvk' },
  CZ: { Prague: 'prg' },
  HU: { Budapest: 'bpest' },
  RO: { Bucharest: 'buc', 'Cluj-Napoca': 'cluj' },
  PL: { Warsaw: 'waw' },
  RU: { Moscow: 'msk', 'Saint Petersburg': 'spb' },
  GE: { Tbilisi: 'tbs' },
  GR: { Athens: 'ath', Thessaloniki: 'skg' },
  IL: { 'Tel Aviv': 'tlv ta' },
  LB: { Beirut: 'bey' },
  AE: { Dubai: 'dxb', 'Abu Dhabi': 'ad auh' },
  ZA: { Johannesburg: 'jhb joburg jozi jnb', 'Cape Town': 'cpt ct' },
  IN: { Mumbai: 'bom', 'New Delhi': 'delhi', Bangalore: 'blr' },
  TH: { Bangkok: 'bkk' },
  MY: { 'Kuala Lumpur': 'kl' },
  VN: { 'Ho Chi Minh City': 'hcmc sgn hochiminh' },
  PH: { Manila: 'mnl' },
  ID: { Jakarta: 'jkt' },
  HK: { 'Hong Kong': 'hk hkg' },
  SG: { Singapore: 'sg sgp' },
  JP: { Tokyo: 'tyo' },
  AU: { Melbourne: 'melb', Sydney: 'syd', Brisbane: 'bne brissie', Adelaide: 'adl radelaide' },
  NZ: { Auckland: 'akl', Wellington: 'wlg welly' },
};

const citiesByAbbreviation: ReadonlyMap<string, CityName> = new Map(
  Object.entries(table).flatMap(([country, names]) =>
    Object.entries(names).flatMap(([name, short]) =>
      short.split(' ').map((text): [string, CityName] => [text, { name, country }]),
    ),
  ),
);

/** Returns the city for a short name ("LA", "L.A.", "nyc"), or null. */
export function cityByAbbreviation(text: string): CityName | null {
  return text.length > 20
    ? null
    : (citiesByAbbreviation.get(normalizeForSearch(text).replaceAll(' ', '')) ?? null);
}
