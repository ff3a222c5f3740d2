/**
 * Built-in places for reading addresses: the cities of the seed, the states of the United States, Canada and Australia,
 * and towns that decide whether a code is a state or a country ("Wilmington, DE" is in Delaware).
 */
import { readAsset } from '../../assets.ts';
import { fold } from '../../text/fold.ts';

/** State codes that stand between the city and the postal code in the United States, Canada and Australia. */
const stateCodesByCountry: Readonly<Record<string, string>> = {
  AU: 'NSW VIC QLD TAS ACT',
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR',
};
export const countryOfState: ReadonlyMap<string, string> = new Map(
  Object.entries(stateCodesByCountry).flatMap(([country, list]) =>
    list.split(' ').map((state) => [state, country] as const),
  ),
);
/** State codes that Australia shares with another country. Australian postal codes have four digits. */
export const ambiguousAustralianStates: ReadonlySet<string> = new Set(['WA', 'SA', 'NT']);

/** Towns by state code, for states whose code is also a country code. */
const townsOfState: Readonly<Record<string, string>> = {
  AL: 'Birmingham Montgomery Mobile Huntsville Tuscaloosa Auburn Dothan Gulf_Shores Florence Decatur',
  AR: 'Little_Rock Fayetteville Fort_Smith Bentonville Jonesboro Hot_Springs Eureka_Springs Conway',
  AZ: 'Phoenix Tucson Mesa Scottsdale Tempe Flagstaff Chandler Sedona Glendale Gilbert',
  CA: 'Los_Angeles San_Francisco San_Diego Oakland Sacramento San_Jose Berkeley Long_Beach Santa_Cruz Santa_Monica Santa_Barbara Fresno Anaheim Pomona Hollywood West_Hollywood Venice Pasadena Palm_Springs Indio Joshua_Tree Santa_Ana Costa_Mesa Riverside San_Bernardino Ventura Big_Sur Inglewood Burbank Bakersfield Stockton',
  CO: 'Denver Boulder Colorado_Springs Fort_Collins Aspen Morrison Telluride Aurora Vail Pueblo Englewood Breckenridge',
  DE: 'Wilmington Dover Newark Rehoboth_Beach Dewey_Beach Lewes Milford Smyrna',
  GA: 'Atlanta Savannah Athens Augusta Macon Columbus Marietta Decatur Roswell Alpharetta Rome Chattahoochee_Hills Duluth',
  ID: "Boise Nampa Meridian Idaho_Falls Pocatello Coeur_d'Alene Moscow Sun_Valley Ketchum",
  IL: 'Chicago Springfield Peoria Champaign Urbana Rockford Naperville Evanston Joliet Bloomington Normal Carbondale Rosemont Cicero Bridgeview',
  IN: 'Indianapolis Bloomington Fort_Wayne South_Bend Evansville Lafayette West_Lafayette Muncie Noblesville Gary',
  KY: 'Louisville Lexington Bowling_Green Newport Covington Owensboro',
  LA: 'New_Orleans Baton_Rouge Lafayette Shreveport Metairie Monroe',
  MA: 'Boston Cambridge Somerville Worcester Northampton Allston Lowell Salem Springfield Provincetown Amherst',
  MD: 'Baltimore Silver_Spring Annapolis Bethesda Columbia Rockville Frederick College_Park Ocean_City',
  ME: 'Portland Bangor Augusta Lewiston Bar_Harbor Brunswick Rockland',
  MN: 'Minneapolis St._Paul Saint_Paul Duluth Rochester Bloomington St._Cloud Mankato',
  MO: 'St._Louis Saint_Louis Kansas_City Columbia Springfield Branson',
  MS: 'Jackson Biloxi Gulfport Oxford Hattiesburg Tupelo',
  MT: 'Missoula Billings Bozeman Helena Butte Great_Falls Whitefish Kalispell',
  NC: 'Charlotte Raleigh Durham Asheville Greensboro Winston-Salem Chapel_Hill Wilmington Carrboro Boone',
  NE: 'Omaha Lincoln Bellevue Kearney',
  PA: 'Philadelphia Pittsburgh Allentown Lancaster Harrisburg Scranton Bethlehem Erie State_College Millvale Ardmore',
  PR: 'San_Juan Ponce Carolina Rincón',
  SC: 'Charleston Columbia Greenville Myrtle_Beach Spartanburg',
  SD: 'Sioux_Falls Rapid_City Sturgis Deadwood',
  TN: 'Nashville Memphis Knoxville Chattanooga Manchester Franklin Murfreesboro',
  VA: 'Richmond Norfolk Virginia_Beach Charlottesville Arlington Alexandria Roanoke Vienna Fairfax Williamsburg',
  NL: "St._John's Corner_Brook Mount_Pearl Gander Happy_Valley-Goose_Bay",
  NU: 'Iqaluit',
  PE: 'Charlottetown Summerside Cavendish',
  SK: 'Saskatoon Regina Moose_Jaw Prince_Albert Craven',
  YT: 'Whitehorse Dawson_City',
};

/** State codes by full state name. */
const stateNames: Readonly<Record<string, string>> = {
  US: 'Alabama AL Alaska AK Arizona AZ Arkansas AR California CA Colorado CO Connecticut CT Delaware DE Florida FL Georgia GA Hawaii HI Idaho ID Illinois IL Indiana IN Iowa IA Kansas KS Kentucky KY Louisiana LA Maine ME Maryland MD Massachusetts MA Michigan MI Minnesota MN Mississippi MS Missouri MO Montana MT Nebraska NE Nevada NV New_Hampshire NH New_Jersey NJ New_Mexico NM New_York NY North_Carolina NC North_Dakota ND Ohio OH Oklahoma OK Oregon OR Pennsylvania PA Rhode_Island RI South_Carolina SC South_Dakota SD Tennessee TN Texas TX Utah UT Vermont VT Virginia VA Washington WA West_Virginia WV Wisconsin WI Wyoming WY',
  CA: 'Alberta AB British_Columbia BC Manitoba MB New_Brunswick NB Nova_Scotia NS Ontario ON Quebec QC Québec QC Saskatchewan SK',
  AU: 'New_South_Wales NSW Victoria VIC Queensland QLD Tasmania TAS South_Australia SA Western_Australia WA',
};

type GazetteerTown = { countries: Set<string>; states: Set<string> };
type Gazetteer = { towns: Map<string, GazetteerTown>; regions: Set<string> };
let gazetteer: Gazetteer | null = null;

const stateCodesByName = new Map(
  Object.entries(stateNames).flatMap(([country, list]) =>
    [...list.matchAll(/(\S+) ([A-Z]{2,3})\b/g)].map(
      ([, name, code]) =>
        [`${country} ${fold((name as string).replaceAll('_', ' '))}`, code as string] as const,
    ),
  ),
);

type SeedCity = { name: string; country: string; region?: string | null; aliases?: string[] | null };

function loadGazetteer(): Gazetteer {
  const towns = new Map<string, GazetteerTown>();
  const regions = new Set(stateCodesByName.keys());
  const add = (name: string, country: string, state: string | undefined) => {
    const town = towns.get(fold(name)) ?? { countries: new Set(), states: new Set() };
    town.countries.add(country);
    if (state !== undefined) town.states.add(state);
    towns.set(fold(name), town);
  };
  for (const line of readAsset('seed/cities.ndjson').split('\n')) {
    if (line.trim() === '') continue;
    const { name, country, region, aliases } = JSON.parse(line) as SeedCity;
    const state = region ? stateCodesByName.get(`${country} ${fold(region)}`) : undefined;
    for (const one of [name, ...(aliases ?? [])]) add(one, country, state);
    if (region) regions.add(`${country} ${fold(region)}`);
  }
  for (const [state, list] of Object.entries(townsOfState)) {
    for (const name of list.split(' '))
      add(name.replaceAll('_', ' '), countryOfState.get(state) as string, state);
  }
  return { towns, regions };
}

let zonesByCity: Map<string, string> | null = null;
/** Returns the IANA time zone that is named after a city. */
export function zoneOfCity(city: string): string | undefined {
  zonesByCity ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [
      fold((zone.split('/').at(-1) as string).replaceAll('_', ' ')),
      zone,
    ]),
  );
  return zonesByCity.get(fold(city));
}

/** Returns the countries with a known city of this name, including the towns that only distinguish states. */
export function countriesWithCity(city: string): readonly string[] {
  gazetteer ??= loadGazetteer();
  return [...(gazetteer.towns.get(fold(city))?.countries ?? [])];
}

/** Whether a known city of this name is in another state, so that the name alone would mean that one. */
export function isTownElsewhere(city: string, state: string): boolean {
  gazetteer ??= loadGazetteer();
  const states = gazetteer.towns.get(fold(city))?.states ?? new Set<string>();
  return [...states].some((other) => other !== state && countryOfState.get(other) !== undefined);
}

/** Whether a known city, or a region used as a city ("Goa"), is in a country. */
export const isPlaceInCountry = (name: string, country: string): boolean =>
  countriesWithCity(name).includes(country) || isRegionInCountry(name, country);

/** Whether a known city is in a state ("Wilmington" in DE). */
export function isTownInState(city: string, state: string): boolean {
  gazetteer ??= loadGazetteer();
  return gazetteer.towns.get(fold(city))?.states.has(state) ?? false;
}

/** Whether a country has a region of this name ("Bavaria", "New South Wales"). */
export function isRegionInCountry(name: string, country: string): boolean {
  gazetteer ??= loadGazetteer();
  return gazetteer.regions.has(`${country} ${fold(name)}`);
}

/** Returns the country that has a state of this full name, or null. */
export const countryOfStateName = (name: string): string | null =>
  Object.keys(stateNames).find((country) => stateCodesByName.has(`${country} ${fold(name)}`)) ?? null;

/** Returns the code of a state by its full name, within a country or any; null if it is not a state. */
export function findStateCode(name: string, country: string | null): string | null {
  const owner = country ?? countryOfStateName(name);
  return owner === null ? null : (stateCodesByName.get(`${owner} ${fold(name)}`) ?? null);
}
