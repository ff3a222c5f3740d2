/** Places written in one line, from many countries; houses that one seller spells in two ways. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openApp } from '../../src/app.ts';
import type { AddressHints } from '../../src/sources/address/country.ts';
import { parsePlace } from '../../src/sources/address/place.ts';
import { eventsIn, fileWith, read, serve } from '../support/source-server.ts';

/** Name, address, postal code, city, country. */
type ReadPlace = (string | null)[];
const readAddressText = (text: string, hints?: AddressHints): ReadPlace | null => {
  const place = parsePlace(text, hints);
  return place && [place.name, place.address, place.postalCode, place.city, place.country];
};

/** What is told of places by their words alone. */
const addresses: [string, ReadPlace][] = [
  ['Ackerstraße 5, 10115 Berlin, DE', [null, 'Ackerstraße 5', '10115', 'Berlin', 'DE']],
  ['Berlin, DE', [null, null, null, 'Berlin', 'DE']],
  ['Köln, DE', [null, null, null, 'Köln', 'DE']],
  ['berlin, de', [null, null, null, 'berlin', 'DE']],
  ['Berlin, DE.', [null, null, null, 'Berlin', 'DE']],
  ['Javastraat 1, 1094 GZ Amsterdam, NL', [null, 'Javastraat 1', '1094 GZ', 'Amsterdam', 'NL']],
  ['Queen St, Toronto, ON, CA', [null, 'Queen St', null, 'Toronto', 'CA']],
  ['Halle GG, 12 rue X, 75011 Paris, FR', ['Halle GG', '12 rue X', '75011', 'Paris', 'FR']],
  ['Flex, Donaukanal, 1010 Wien, AT', ['Flex', 'Donaukanal', '1010', 'Wien', 'AT']],
  [
    'Magazzini, Via Valtellina 25, 20159 Milano MI, IT',
    ['Magazzini', 'Via Valtellina 25', '20159', 'Milano', 'IT'],
  ],
  [
    'Razzmatazz, Carrer dels Almogàvers 122, 08018 Barcelona, ES',
    ['Razzmatazz', 'Carrer dels Almogàvers 122', '08018', 'Barcelona', 'ES'],
  ],
  ['Fuse, Rue Blaes 208, 1000 Bruxelles, BE', ['Fuse', 'Rue Blaes 208', '1000', 'Bruxelles', 'BE']],
  ['Hive, Geroldstrasse 5, 8005 Zürich, CH', ['Hive', 'Geroldstrasse 5', '8005', 'Zürich', 'CH']],
  ['Smolna, Smolna 38, 00-375 Warszawa, PL', ['Smolna', 'Smolna 38', '00-375', 'Warszawa', 'PL']],
  [
    'Lux Frágil, Av. Infante D. Henrique, 1950-376 Lisboa, PT',
    ['Lux Frágil', 'Av. Infante D. Henrique', '1950-376', 'Lisboa', 'PT'],
  ],
  ['Halle CC, Ackerstraße 5, 10115 Berlin', ['Halle CC', 'Ackerstraße 5', '10115', 'Berlin', 'DE']],
  ['Halle CC, Ackerstraße 5, 10115 Berlin, Germany', ['Halle CC', 'Ackerstraße 5', '10115', 'Berlin', 'DE']],
  [
    'Halle CC, Ackerstraße 5, 10115 Berlin, Deutschland',
    ['Halle CC', 'Ackerstraße 5', '10115', 'Berlin', 'DE'],
  ],
  ['Halle CC, Ackerstraße 5, 10115 Berlin, DEU', ['Halle CC', 'Ackerstraße 5', '10115', 'Berlin', 'DE']],
  ['Halle CC, Ackerstraße 5, 10115 Berlin DE', ['Halle CC', 'Ackerstraße 5', '10115', 'Berlin', 'DE']],
  ['Halle CC, Ackerstraße 5, 10115 Berlin Germany', ['Halle CC', 'Ackerstraße 5', '10115', 'Berlin', 'DE']],
  ['Halle CC, Ackerstraße 5, D-10115 Berlin', ['Halle CC', 'Ackerstraße 5', '10115', 'Berlin', 'DE']],
  ['Halle CC, Ackerstraße 5, DE-10115 Berlin', ['Halle CC', 'Ackerstraße 5', '10115', 'Berlin', 'DE']],
  ['Halle CC\nAckerstraße 5\n10115 Berlin\nDE', ['Halle CC', 'Ackerstraße 5', '10115', 'Berlin', 'DE']],
  [
    'Fabric, 77a Charterhouse St, London EC1M 6HJ, UK',
    ['Fabric', '77a Charterhouse St', 'EC1M 6HJ', 'London', 'GB'],
  ],
  [
    'Fabric, 77a Charterhouse St, London EC1M 6HJ, GB',
    ['Fabric', '77a Charterhouse St', 'EC1M 6HJ', 'London', 'GB'],
  ],
  [
    'Fabric, 77a Charterhouse St, London EC1M 6HJ',
    ['Fabric', '77a Charterhouse St', 'EC1M 6HJ', 'London', 'GB'],
  ],
  [
    'fabric, 77a charterhouse st, london ec1m 6hj, uk',
    ['fabric', '77a charterhouse st', 'EC1M 6HJ', 'london', 'GB'],
  ],
  ['Output, 74 Wythe Ave, Brooklyn, NY 11249', ['Output', '74 Wythe Ave', '11249', 'Brooklyn', 'US']],
  ['Output, 74 Wythe Ave, Brooklyn, NY 11249, US', ['Output', '74 Wythe Ave', '11249', 'Brooklyn', 'US']],
  ['Output, 74 Wythe Ave, Brooklyn, NY 11249, USA', ['Output', '74 Wythe Ave', '11249', 'Brooklyn', 'US']],
  ['output, 74 wythe ave, brooklyn, ny 11249', ['output', '74 wythe ave', '11249', 'brooklyn', 'US']],
  [
    'The Queen, 500 N Market St, Wilmington, DE 19801',
    ['The Queen', '500 N Market St', '19801', 'Wilmington', 'US'],
  ],
  ['The Queen, 500 N Market St, Wilmington, DE', ['The Queen', '500 N Market St', null, 'Wilmington', 'US']],
  ['wilmington, de 19801', [null, null, '19801', 'wilmington', 'US']],
  ['Wilmington, DE', [null, null, null, 'Wilmington', 'US']],
  ['Portland, ME', [null, null, null, 'Portland', 'US']],
  ['Portland, OR', [null, null, null, 'Portland', 'US']],
  ['Athens, GA', [null, null, null, 'Athens', 'US']],
  ['Atlanta, Georgia', [null, null, null, 'Atlanta', 'US']],
  ['Tbilisi, Georgia', [null, null, null, 'Tbilisi', 'GE']],
  ['Bassiani, Tbilisi, GE', ['Bassiani', null, null, 'Tbilisi', 'GE']],
  ['Springfield, IL', [null, null, null, 'Springfield', 'US']],
  [
    'Kuli Alma, Mikveh Israel St 10, Tel Aviv, IL',
    ['Kuli Alma', 'Mikveh Israel St 10', null, 'Tel Aviv', 'IL'],
  ],
  ['The Block, Tel Aviv-Yafo, 6100000, IL', ['The Block', null, '6100000', 'Tel Aviv-Yafo', 'IL']],
  ['antiSOCIAL, 242 Hauz Khas, Mumbai 400001, IN', ['antiSOCIAL', '242 Hauz Khas', '400001', 'Mumbai', 'IN']],
  ['Hilltop, Vagator, Goa, IN', ['Hilltop', null, null, 'Vagator', 'IN']],
  ['Hi-Fi, 1043 Virginia Ave, Indianapolis, IN', ['Hi-Fi', '1043 Virginia Ave', null, 'Indianapolis', 'US']],
  ['Video Club, Bogotá, CO', ['Video Club', null, null, 'Bogotá', 'CO']],
  [
    'Red Rocks, 18300 W Alameda Pkwy, Morrison, CO 80465',
    ['Red Rocks', '18300 W Alameda Pkwy', '80465', 'Morrison', 'US'],
  ],
  [
    'Crobar, Paseo de la Infanta, C1425 Buenos Aires, AR',
    ['Crobar', 'Paseo de la Infanta', 'C1425', 'Buenos Aires', 'AR'],
  ],
  ['The Bow, Buenos Aires, AR', ['The Bow', null, null, 'Buenos Aires', 'AR']],
  ['CODA, 794 Bathurst St, Toronto, ON M5R 3G1', ['CODA', '794 Bathurst St', 'M5R 3G1', 'Toronto', 'CA']],
  ['CODA, 794 Bathurst St, Toronto, ON M5R 3G1, CA', ['CODA', '794 Bathurst St', 'M5R 3G1', 'Toronto', 'CA']],
  ['CODA, 794 Bathurst St, Toronto, CA', ['CODA', '794 Bathurst St', null, 'Toronto', 'CA']],
  [
    'Stereo, 858 Rue Sainte-Catherine E, Montréal, QC H2L 2E3, Canada',
    ['Stereo', '858 Rue Sainte-Catherine E', 'H2L 2E3', 'Montréal', 'CA'],
  ],
  [
    'Exchange LA, 618 S Spring St, Los Angeles, CA 90014',
    ['Exchange LA', '618 S Spring St', '90014', 'Los Angeles', 'US'],
  ],
  [
    'Exchange LA, 618 S Spring St, Los Angeles, CA',
    ['Exchange LA', '618 S Spring St', null, 'Los Angeles', 'US'],
  ],
  [
    'Exchange LA, 618 S Spring St, Los Angeles, California, USA',
    ['Exchange LA', '618 S Spring St', null, 'Los Angeles', 'US'],
  ],
  [
    'Exchange LA, 618 S Spring St, Suite 4, Los Angeles, CA, 90014',
    ['Exchange LA', '618 S Spring St, Suite 4', '90014', 'Los Angeles', 'US'],
  ],
  ['Public Works, San Francisco, CA, US', ['Public Works', null, null, 'San Francisco', 'US']],
  [
    'Revolver, 229 Chapel St, Prahran VIC 3181, Australia',
    ['Revolver', '229 Chapel St', '3181', 'Prahran', 'AU'],
  ],
  ['Revolver, 229 Chapel St, Prahran VIC 3181, AU', ['Revolver', '229 Chapel St', '3181', 'Prahran', 'AU']],
  ['Sydney NSW 2000 Australia', [null, null, '2000', 'Sydney', 'AU']],
  ["Jack Rabbit Slim's, Perth WA 6000", ["Jack Rabbit Slim's", null, '6000', 'Perth', 'AU']],
  [
    'WOMB, 2-16 Maruyamacho, Shibuya City, Tokyo 150-0044, Japan',
    ['WOMB', '2-16 Maruyamacho, Shibuya City', '150-0044', 'Tokyo', 'JP'],
  ],
  [
    'WOMB, 2-16 Maruyamacho, Shibuya, Tokyo 150-0044, JP',
    ['WOMB', '2-16 Maruyamacho, Shibuya', '150-0044', 'Tokyo', 'JP'],
  ],
  ['WOMB, Shibuya, Tokyo, 150-0044, JP', ['WOMB', 'Shibuya', '150-0044', 'Tokyo', 'JP']],
  [
    'D-Edge, Alameda Olga 170, São Paulo - SP, 01155-040, Brasil',
    ['D-Edge', 'Alameda Olga 170', '01155-040', 'São Paulo', 'BR'],
  ],
  ['D-Edge, Alameda Olga 170, São Paulo - SP, BR', ['D-Edge', 'Alameda Olga 170', null, 'São Paulo', 'BR']],
  [
    'D-Edge, Alameda Olga 170, Barra Funda, São Paulo, SP, 01155-040, BR',
    ['D-Edge', 'Alameda Olga 170, Barra Funda', '01155-040', 'São Paulo', 'BR'],
  ],
  [
    'MN Roy, Calle Mérida 186, Roma Nte., 06700 Ciudad de México, CDMX, MX',
    ['MN Roy', 'Calle Mérida 186, Roma Nte.', '06700', 'Ciudad de México', 'MX'],
  ],
  [
    'Bar Américas, Av. Chapultepec 507, 44160 Guadalajara, Jal., México',
    ['Bar Américas', 'Av. Chapultepec 507', '44160', 'Guadalajara', 'MX'],
  ],
  ['MUTEK, Mexico City, MX', ['MUTEK', null, null, 'Mexico City', 'MX']],
  ['Zouk, 3C River Valley Rd, Singapore 179022', ['Zouk', '3C River Valley Rd', '179022', 'Singapore', 'SG']],
  ['Zouk, 3C River Valley Rd, Singapore', ['Zouk', '3C River Valley Rd', null, 'Singapore', 'SG']],
  ['Opium, 8 Wexford St, Dublin 2, IE', ['Opium', '8 Wexford St', null, 'Dublin', 'IE']],
  ['Index, 3 Main St, Dublin, D02 XY45, Ireland', ['Index', '3 Main St', 'D02 XY45', 'Dublin', 'IE']],
  [
    'Cross Club, Plynární 1096/23, 170 00 Praha 7, CZ',
    ['Cross Club', 'Plynární 1096/23', '170 00', 'Praha', 'CZ'],
  ],
  [
    'Under Bron, Hammarby Slussväg 2, 118 60 Stockholm, SE',
    ['Under Bron', 'Hammarby Slussväg 2', '118 60', 'Stockholm', 'SE'],
  ],
  [
    'Ambassade, 2. Etage, Sint-Kathelijneplein 3, 1000 Brussel, BE',
    ['Ambassade', '2. Etage, Sint-Kathelijneplein 3', '1000', 'Brussel', 'BE'],
  ],
  [
    'Tresor, 3. OG, Köpenicker Str. 70, 10179 Berlin, DE',
    ['Tresor', '3. OG, Köpenicker Str. 70', '10179', 'Berlin', 'DE'],
  ],
  ['P.O. Box 123, Austin, TX 78701', [null, 'P.O. Box 123', '78701', 'Austin', 'US']],
  ['Postfach 1234, 10115 Berlin, DE', [null, 'Postfach 1234', '10115', 'Berlin', 'DE']],
  ['123 Main St, Suite 4, Austin, TX 78701', [null, '123 Main St, Suite 4', '78701', 'Austin', 'US']],
  [
    'Paradiso (Weteringschans 6-8, 1017 SG Amsterdam)',
    ['Paradiso', 'Weteringschans 6-8', '1017 SG', 'Amsterdam', 'NL'],
  ],
  ['Berghain, Berlin', ['Berghain', null, null, 'Berlin', null]],
  ['Memphis, TN, US', [null, null, null, 'Memphis', 'US']],
  ['Memphis, TN', [null, null, null, 'Memphis', 'US']],
  ['Meeting room, Ricoh Arena', ['Meeting room, Ricoh Arena', null, null, null, null]],
  ['Bogen F', ['Bogen F', null, null, null, null]],
  ['Studio LA', ['Studio LA', null, null, null, null]],
  ['Halle, EG', ['Halle, EG', null, null, null, null]],
  ['Club DJ', ['Club DJ', null, null, null, null]],
  ['Bangface, Southport, GB', ['Bangface', null, null, 'Southport', 'GB']],
  [
    'KHIDI, V. Bagrationi bridge, Tbilisi 0159, GE',
    ['KHIDI', 'V. Bagrationi bridge', '0159', 'Tbilisi', 'GE'],
  ],
  ['Basement, Warsaw, PL', ['Basement', null, null, 'Warsaw', 'PL']],
  [
    'Club Gretchen, Obentrautstr. 19-21, 10963 Berlin, DE',
    ['Club Gretchen', 'Obentrautstr. 19-21', '10963', 'Berlin', 'DE'],
  ],
  ['Schlachthof, Rosenheim, DE', ['Schlachthof', null, null, 'Rosenheim', null]],
  [
    'Rockhouse, Schallmooser Hauptstraße 46, 5020 Salzburg, Österreich',
    ['Rockhouse', 'Schallmooser Hauptstraße 46', '5020', 'Salzburg', 'AT'],
  ],
  ['Le Sucre, 50 Quai Rambaud, 69002 Lyon, France', ['Le Sucre', '50 Quai Rambaud', '69002', 'Lyon', 'FR']],
  ['Casablanca, MA', [null, null, null, 'Casablanca', 'MA']],
  ['Boston, MA', [null, null, null, 'Boston', 'US']],
  ['Gärten der Welt, Valletta, MT', ['Gärten der Welt', null, null, 'Valletta', 'MT']],
  ['Missoula, MT', [null, null, null, 'Missoula', 'US']],
  ['Hollywood Palladium, Hollywood, CA', ['Hollywood Palladium', null, null, 'Hollywood', 'US']],
  ['Fuga, Bratislava, SK', ['Fuga', null, null, 'Bratislava', 'SK']],
  ['Amigos, Saskatoon, SK', ['Amigos', null, null, 'Saskatoon', 'CA']],
  ['Lima, PE', [null, null, null, 'Lima', 'PE']],
  ['Panama City, PA', [null, null, null, 'Panama City', 'PA']],
  ['Philadelphia, PA', [null, null, null, 'Philadelphia', 'US']],
  ['Dubai, AE', [null, null, null, 'Dubai', 'AE']],
  ['Jakarta, ID', [null, null, null, 'Jakarta', 'ID']],
  [
    'Blue Heron, 64 Mill Ave. Asheville, NC 28801',
    ['Blue Heron', '64 Mill Ave.', '28801', 'Asheville', 'US'],
  ],
  ['Pinhook Room 18 Elm Street Durham, NC 27701', ['Pinhook Room', '18 Elm Street', '27701', 'Durham', 'US']],
  ['27 Ridge Extension Arden, NC 28704', [null, '27 Ridge Extension', '28704', 'Arden', 'US']],
  ['31 Maple St Toronto, Canada', [null, '31 Maple St', null, 'Toronto', 'CA']],
  [
    'Long Player, 12 North Ave, Asheville, North Carolina 28801, United States',
    ['Long Player', '12 North Ave', '28801', 'Asheville', 'US'],
  ],
  [
    'Third Moon, 41 Orchard Rd, Asheville, North Carolina, 28806',
    ['Third Moon', '41 Orchard Rd', '28806', 'Asheville', 'US'],
  ],
  [
    'Mint House, 33 S Harbour St, Raleigh, NC, NC, 27601, United States',
    ['Mint House', '33 S Harbour St', '27601', 'Raleigh', 'US'],
  ],
  [
    'The Gannet, 77 Wilson Dr, Cape May, NJ 08204, NJ, United States',
    ['The Gannet', '77 Wilson Dr', '08204', 'Cape May', 'US'],
  ],
  [
    'Palm Garden, 15 Queen St E, Toronto, M5A 2E5, ON, Canada',
    ['Palm Garden', '15 Queen St E', 'M5A 2E5', 'Toronto', 'CA'],
  ],
  [
    'Stone House, 5 Tower Circle, Toronto, Ontario, M5S 3H3, Canada',
    ['Stone House', '5 Tower Circle', 'M5S 3H3', 'Toronto', 'CA'],
  ],
  [
    'Millbank, 9 Blair Road, Cambridge, Ontario, Canada',
    ['Millbank', '9 Blair Road', null, 'Cambridge', 'CA'],
  ],
  ['52 Adelaide St W, Toronto, ON M5H, Canada', [null, '52 Adelaide St W', 'M5H', 'Toronto', 'CA']],
  ['90 10th Ave, New York, New York, 10001', [null, '90 10th Ave', '10001', 'New York', 'US']],
  [
    'Quarry Park, 44 E. Quarry Dr., Bloomington, Ind.',
    ['Quarry Park', '44 E. Quarry Dr.', null, 'Bloomington', 'US'],
  ],
  ['Terra Haute, Ind.', [null, null, null, 'Terra Haute', 'US']],
  ['Savannah, Ga.', [null, null, null, 'Savannah', 'US']],
  ['The Alpine, 2871 Dundas Street W', ['The Alpine', '2871 Dundas Street W', null, null, null]],
  ['9000 St. Gallen', [null, null, '9000', 'St. Gallen', null]],
  ['63 7th St, CA 95401', [null, '63 7th St', '95401', null, 'US']],
  [
    'Barrel Stage, 1200 US Highway 70, Black Mountain, North Carolina',
    ['Barrel Stage', '1200 US Highway 70', null, 'Black Mountain', 'US'],
  ],
  [
    'The Heron, 18 Washington St., Petaluma, CA, Petaluma, CA',
    ['The Heron', '18 Washington St.', null, 'Petaluma', null],
  ],
  [
    'Fox Hill, River Road, Conestoga, PA 17516, Conestoga, PA',
    ['Fox Hill', 'River Road', null, 'Conestoga', null],
  ],
  [
    'Chapel Hall - 27 Church Ave. SW Roanoke VA 24011',
    ['Chapel Hall', '27 Church Ave. SW', '24011', 'Roanoke', 'US'],
  ],
  ['SW2 5BZ London', [null, null, 'SW2 5BZ', 'London', 'GB']],
  ['The Windmill, SW2 5BZ London', ['The Windmill', null, 'SW2 5BZ', 'London', 'GB']],
  ['4 Camden Place\nLondon, England, NW1\nUnited Kingdom', [null, '4 Camden Place', 'NW1', 'London', 'GB']],
  ['Monarch (San Francisco)', ['Monarch', null, null, 'San Francisco', null]],
  ['Monarch (Upstairs)', ['Monarch (Upstairs)', null, null, null, null]],
  ['Royal Arena, København S', ['Royal Arena', null, null, 'København', null]],
  ['Train, Aarhus C, Denmark', ['Train', null, null, 'Aarhus', 'DK']],
  ['The Boiler Theater, 1820 W. Lake St.', ['The Boiler Theater', '1820 W. Lake St.', null, null, null]],
  ['Stadsschouwburg, Netherlands', ['Stadsschouwburg', null, null, null, 'NL']],
  ['Theater Bouwkunde, Netherlands', ['Theater Bouwkunde', null, null, null, 'NL']],
  ['Deventer, Netherlands', [null, null, null, 'Deventer', 'NL']],
  ['Boise, ID', [null, null, null, 'Boise', 'US']],
];

test('an address is read by what its words say, whichever country writes it', () => {
  for (const [text, expected] of addresses) assert.deepEqual(readAddressText(text), expected, text);
});

test("letters that are a state's and a country's are decided by where the source is at home, else left open", () => {
  const cases: [string, AddressHints, ReadPlace][] = [
    ['Schlachthof, Rosenheim, DE', {}, ['Schlachthof', null, null, 'Rosenheim', null]],
    ['Schlachthof, Rosenheim, DE', { country: 'DE' }, ['Schlachthof', null, null, 'Rosenheim', 'DE']],
    ['Barn, Smallville, DE', { timezone: 'Europe/Berlin' }, ['Barn', null, null, 'Smallville', 'DE']],
    ['Barn, Smallville, DE', { timezone: 'America/New_York' }, ['Barn', null, null, 'Smallville', 'US']],
    ['Barn, Smallville, IN', { timezone: 'Asia/Kolkata' }, ['Barn', null, null, 'Smallville', 'IN']],
    ['Barn, Smallville, CA', { timezone: 'America/Toronto' }, ['Barn', null, null, 'Smallville', 'CA']],
    // What the words say counts more.
    ['The Queen, Wilmington, DE 19801', { country: 'DE' }, ['The Queen', null, '19801', 'Wilmington', 'US']],
    ['Halle, 10115 Berlin, DE', { country: 'US' }, ['Halle', null, '10115', 'Berlin', 'DE']],
    ['Barn, 12 Mill Road, Smallville, DE', {}, ['Barn', '12 Mill Road', null, 'Smallville', 'US']],
    ['Scheune, Mühlweg 12, Kleinstadt, DE', {}, ['Scheune', 'Mühlweg 12', null, 'Kleinstadt', 'DE']],
    ['Berghain, Berlin', { timezone: 'Europe/Berlin' }, ['Berghain', null, null, 'Berlin', 'DE']],
    ['Berghain, Berlin', { timezone: 'Europe/Paris' }, ['Berghain', null, null, 'Berlin', null]],
  ];
  for (const [text, hints, expected] of cases) assert.deepEqual(readAddressText(text, hints), expected, text);
});

const calendar = (...events: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
const vevent = (uid: string, start: string, name: string, location: string): string =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART:${start}`,
    `SUMMARY:${name}`,
    `LOCATION:${location.replaceAll(',', '\\,')}`,
    'END:VEVENT',
  ].join('\r\n');
const page = (...events: object[]): string =>
  `<script type="application/ld+json">${JSON.stringify(events)}</script>`;
const music = (name: string, startDate: string, location: object | string) => ({
  '@context': 'https://schema.org',
  '@type': 'MusicEvent',
  name,
  startDate,
  location,
});

test('calendars and pages read an address alike', async (context) => {
  const cases: [string, string, string][] = [
    ['Ackerstraße 5, 10115 Berlin, DE', 'Berlin', 'DE'],
    ['Javastraat 1, 1094 GZ Amsterdam, NL', 'Amsterdam', 'NL'],
    ['Queen St, Toronto, ON, CA', 'Toronto', 'CA'],
    ['12 rue X, 75011 Paris, FR', 'Paris', 'FR'],
    ['Ackerstraße 5, 10115 Berlin', 'Berlin', 'DE'],
  ];
  for (const [address, city, country] of cases) {
    const text = calendar(vevent('u', '20261205T230000', 'Night', `Halle, ${address}`));
    const fromCalendar = eventsIn(await read('ical', fileWith(context, 'c.ics', text)))[0];
    const place = { '@type': 'Place', name: 'Halle', address };
    const html = page(music('Night', '2026-12-05T23:00:00', place));
    const fromPage = eventsIn(await read('jsonld', fileWith(context, 'p.html', html)))[0];
    for (const event of [fromCalendar, fromPage])
      assert.deepEqual([event?.venue?.name, event?.city, event?.country], ['Halle', city, country], address);
  }
});

test('a postal address in parts has its code where it belongs, and a region that may be a country', async (context) => {
  const cases: [object, string, string | null][] = [
    [{ addressLocality: '10115 Berlin', addressCountry: 'DE' }, 'Berlin', 'DE'],
    [{ addressLocality: 'Berlin', addressRegion: 'DE' }, 'Berlin', 'DE'],
    [{ addressLocality: 'Wilmington', addressRegion: 'DE' }, 'Wilmington', 'US'],
    [{ addressLocality: 'Berlin, DE' }, 'Berlin', 'DE'],
  ];
  for (const [address, city, country] of cases) {
    const html = page(music('Night', '2026-12-05T23:00:00', { '@type': 'Place', name: 'Halle', address }));
    const event = eventsIn(await read('jsonld', fileWith(context, 'p.html', html)))[0];
    assert.deepEqual([event?.city, event?.country], [city, country], JSON.stringify(address));
  }
});

const address = {
  '@type': 'PostalAddress',
  streetAddress: 'Ackerstraße 5',
  postalCode: '10115',
  addressLocality: 'Berlin',
  addressCountry: 'DE',
};

/** The venues that are shown after both were read, in this order. */
async function venuesAfter(context: TestContext, order: string[], calendarText: string, html: string) {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-places-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const clock = { now: () => Date.parse('2026-11-20T12:00:00Z') } as never;
  const app = openApp({ data: join(folder, 'x.db'), create: true, clock });
  try {
    const feeds = await app.sources({ baseUrl: null, fetchAllow: [] });
    feeds.add(
      { name: 'house', type: 'ical', url: fileWith(context, 'c.ics', calendarText), trust: '60' },
      'terminal:test',
    );
    feeds.add(
      { name: 'tix', type: 'jsonld', url: fileWith(context, 'p.html', html), trust: '40' },
      'terminal:test',
    );
    for (const name of order) assert.equal((await feeds.sync(name)).outcome, 'done');
    const venues: string[] = [];
    for (const lines of app.exportLines({ kind: 'venue', since: 0 })) {
      for (const line of lines) {
        const { slug, name, change } = JSON.parse(line) as { slug: string; name: string; change?: string };
        if (change !== 'merged') venues.push(`${slug}: ${name}`);
      }
    }
    return venues;
  } finally {
    app.close();
  }
}

test('a seller that spells a house in two ways makes no second one, and does not rename the first', async (context) => {
  const place = (name: string) => ({ '@type': 'Place', name, address });
  const html = page(
    music('Acid Night', '2026-12-05T23:00:00', place('Kellerlicht')),
    music('Dub Night', '2026-12-06T23:00:00', place('Kellerlicht')),
    music('House Night', '2026-12-07T23:00:00', place('Kellerlicht Klub')),
  );
  for (const location of [
    'Kellerlicht Klub, Ackerstraße 5, 10115 Berlin, Germany',
    'Kellerlicht Klub, Ackerstraße 5, 10115 Berlin',
  ]) {
    const text = calendar(vevent('a', '20261205T230000', 'Acid Night', location));
    for (const order of [
      ['house', 'tix'],
      ['tix', 'house'],
    ]) {
      const venues = await venuesAfter(context, order, text, html);
      assert.deepEqual(
        venues.map((line) => line.replace(/^.*: /, '')),
        ['Kellerlicht Klub'],
        order.join(),
      );
    }
  }
});

test('an id that is made of a name says so; the address of a venue at its source is its own', async (context) => {
  const place = { '@type': 'Place', name: 'Kellerlicht', address };
  const html = page(music('Acid Night', '2026-12-05T23:00:00', place));
  const fromPage = eventsIn(await read('jsonld', fileWith(context, 'p.html', html)))[0];
  const text = calendar(vevent('u', '20261205T230000', 'Acid Night', 'Kellerlicht, 10115 Berlin, DE'));
  const fromCalendar = eventsIn(await read('ical', fileWith(context, 'c.ics', text)))[0];
  assert.match(String(fromPage?.venue?.external_id), /^name:[\da-f]{24}$/);
  assert.equal(fromCalendar?.venue?.external_id, fromPage?.venue?.external_id);
  const served = await serve(context, (request, response) => {
    const url = `http://${request.headers.host}/venues/kellerlicht`;
    response.setHeader('content-type', 'text/html');
    response.end(page(music('Acid Night', '2026-12-05T23:00:00', { ...place, url })));
  });
  const reading = await read('jsonld', `${served}/events`);
  assert.equal(eventsIn(reading)[0]?.venue?.external_id, `${served}/venues/kellerlicht`);
});
