/** Spanish, Italian and Dutch questions. */
import { are, asking, atVenue, first, info, last, ofArtist, search } from './checks.ts';

const preguntar = asking('es');
const chiedere = asking('it');
const vragen = asking('nl');

export const spanish = [
  preguntar(
    '¿Qué hay en Madrid este fin de semana?',
    [search({ query: 'Madrid este fin de semana' })],
    are('Noche Profunda'),
    [/Noche Profunda/],
  ),
  preguntar(
    '¿Cuánto cuesta el festival Sonda?',
    [search({ query: 'festival Sonda' })],
    last(({ festivals: [one] }) => one.tickets[0].price_min === 55),
    [/55 EUR/],
  ),
  preguntar(
    '¿Quién toca en Sonda 2026, y a qué hora toca Rio Salas?',
    [search({ festival: 'Sonda 2026' })],
    last(({ festivals: [one] }) => one.lineup.length === 2 && one.edition === '2026'),
    [/Rio Salas.*23:00/, /Sofia Lindqvist/],
  ),
  preguntar(
    '¿A partir de qué edad es la Noche Profunda?',
    [search({ query: 'Noche Profunda' })],
    first('Noche Profunda', ({ minimum_age }) => minimum_age === 18),
    [/age 18/i],
  ),
  preguntar(
    '¿Qué hay la próxima semana en Madrid?',
    [search({ city: 'Madrid', from: 'la próxima semana' })],
    are('Martes Suave'),
    [/Martes Suave/],
  ),
  preguntar(
    '¿Y el primer fin de semana de diciembre en Madrid?',
    [search({ city: 'Madrid', from: 'el primer fin de semana de diciembre' })],
    are('Puente'),
    [/Puente/],
  ),
  preguntar(
    '¿Cuál fue la última fiesta en Nave Central?',
    [search({ venue: 'Nave Central', to: 'today', include_past: true, limit: 1 })],
    first('Última Sesión'),
    [/latest.*Última Sesión/i, /2026-10-31/],
  ),
  preguntar(
    '¿Dónde toca Rio Salas?',
    [ofArtist({ artist: 'Rio Salas' })],
    last(({ events, festivals }) => events.length === 2 && festivals[0].festival.name === 'Sonda'),
    [/Noche Profunda/, /Sonda/],
  ),
];

export const italian = [
  chiedere(
    'Cosa si fa a Milano domani sera?',
    [search({ query: 'Milano domani sera' })],
    are('Notte Fonda'),
    [/Notte Fonda/],
  ),
  chiedere(
    'Quanto costa Notte Fonda, e fino a che ora dura?',
    [search({ query: 'Notte Fonda' })],
    first('Notte Fonda', ({ tickets: [one], end_at }) => one.price_min === 16 && end_at.includes('05:00')),
    [/16.20 EUR/, /until .*05:00/i],
  ),
  chiedere(
    'Cosa fare a Milano a Capodanno?',
    [search({ query: 'Milano Capodanno' })],
    first('Capodanno Nove'),
    [/45.80 EUR/],
  ),
  chiedere(
    'Su quale etichetta esce Chiara Fonti?',
    [info('Chiara Fonti')],
    last(({ labels }) => labels[0].name === 'Porta Rossa'),
    [/Porta Rossa/],
  ),
  chiedere(
    "Dov'è Fabbrica Nove?",
    [atVenue({ venue: 'Fabbrica Nove', city: 'Milano' })],
    last(({ venue }) => venue.location.address === 'Via Tortona 31'),
    [/Via Tortona 31/],
  ),
  chiedere(
    'Ci sono festival a Milano quest’estate o la prossima?',
    [search({ query: 'festival a Milano prossima estate' })],
    last(({ festivals: [one] }) => one.festival.name === 'Lago Aperto'),
    [/Lago Aperto/, /2027-06-25/],
  ),
  chiedere(
    'Chi ha suonato alla Fabbrica Nove a luglio?',
    [search({ venue: 'Fabbrica Nove', from: '2026-07', include_past: true })],
    first('Estate Corta'),
    [/Rio Salas/],
  ),
  chiedere(
    'Quando suona Chiara Fonti a Berlino?',
    [search({ query: 'Chiara Fonti Berlino' })],
    last(({ events }) => events.some(({ name }: { name: string }) => name === 'House of Milan')),
    [/House of Milan/],
  ),
];

export const dutch = [
  vragen(
    'Wat is er volgende week in Amsterdam?',
    [search({ query: 'Amsterdam volgende week' })],
    are('Donderslag'),
    [/Donderslag/],
  ),
  vragen(
    'Wat kosten kaartjes voor Donderslag?',
    [search({ query: 'Donderslag' })],
    first('Donderslag', ({ tickets: [one] }) => one.seller === 'Kaartenhuis'),
    [/14.19 EUR/, /Kaartenhuis/],
  ),
  vragen(
    'Wat is er met oud en nieuw in Amsterdam?',
    [search({ city: 'Amsterdam', from: 'oud en nieuw' })],
    first('Oud en Nieuw Zes'),
    [/Oud en Nieuw Zes/, /49 EUR/],
  ),
  vragen(
    'Waar is Loods Zes?',
    [atVenue({ venue: 'Loods Zes' })],
    last(({ venue }) => venue.location.address === 'Papaverweg 6'),
    [/Papaverweg 6/, /1032 KJ/],
  ),
  vragen(
    'Wanneer is Polderlicht, en wat kost het?',
    [search({ query: 'Polderlicht' })],
    last(({ festivals: [one] }) => one.start_at.startsWith('2027-08-14') && one.tickets[0].price_min === 45),
    [/2027-08-14/, /45 EUR/],
  ),
  vragen(
    'Hoe vaak heeft Bas de Winter in Loods Zes gedraaid?',
    [search({ artist: 'Bas de Winter', venue: 'Loods Zes', to: 'gisteren', include_past: true })],
    last(({ past }) => past.count === 1),
    [/\b1 past event\b/, /Lage Landen/],
  ),
  vragen(
    'Is er dit weekend iets in de buurt van Potsdam?',
    [search({ city: 'Potsdam', from: 'dit weekend' })],
    last(({ names }) => names[0].match.slug === 'potsdam'),
    [/Berlin \[berlin\]/],
  ),
  vragen(
    'Welke nummers draaide Mira Voss in haar wintermix?',
    [info('Mira Voss')],
    last(({ mixes }) => mixes[1].tracks[0].title === 'Undertow'),
    [/Winter Mix/, /Undertow/],
  ),
];
