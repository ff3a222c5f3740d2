/** German and French questions. */
import { are, asking, atVenue, first, info, last, ofArtist, search } from './checks.ts';

const frage = asking('de');
const poser = asking('fr');

export const german = [
  frage(
    'Was läuft heute Abend in Berlin?',
    [search({ query: 'Was läuft heute Abend in Berlin?' })],
    are('Kohle 20'),
    [/Kohle 20/],
  ),
  frage(
    'Was kosten die Karten für die Elbnacht?',
    [search({ query: 'Elbnacht Karten' })],
    first('Elbnacht', ({ tickets: [one] }) => one.price_min === 12),
    [/12 EUR/],
  ),
  frage(
    'Ab wie viel Jahren ist die Elbnacht, und bis wann geht sie?',
    [search({ query: 'Elbnacht' })],
    first('Elbnacht', ({ minimum_age, end_at }) => minimum_age === 18 && end_at.includes('06:00')),
    [/18/, /until .*06:00/i],
  ),
  frage(
    'Welche Festivals gibt es im Sommer in Hamburg?',
    [search({ query: 'Festivals in Hamburg im Sommer 2027' })],
    last(({ festivals }) => festivals.some(({ edition }: { edition: string }) => edition === '2027')),
    [/Nordlicht Festival/, /2027-07-09/],
  ),
  frage(
    'Was ist zwischen Weihnachten und Neujahr in Berlin los?',
    [search({ query: 'Berlin zwischen Weihnachten und Neujahr' })],
    are('Zwischen den Jahren'),
    [/Zwischen den Jahren/, /sold out/i],
  ),
  frage(
    'Was geht am ersten Dezemberwochenende in Hamburg?',
    [search({ city: 'Hamburg', from: 'erstes Dezemberwochenende' })],
    are('Elbnacht'),
    [/Elbnacht/],
  ),
  frage(
    'Was ist am 24.12.2026 in Berlin?',
    [search({ query: 'Berlin 24.12.2026' })],
    are('Heiligabend danach'),
    [/Heiligabend danach/],
  ),
  frage(
    'Wie ist die Adresse vom Tiefgang?',
    [atVenue({ venue: 'Tiefgang', city: 'Hamburg' })],
    last(({ venue }) => venue.location.address === 'Große Elbstraße 88'),
    [/Große Elbstraße 88/, /22767/],
  ),
  frage(
    'Bei welchem Label ist Tomas Brandt, und wann spielt er das nächste Mal?',
    [info('Tomas Brandt')],
    last(({ labels, next_event }) => labels.length === 2 && next_event.name === 'Kohle 20'),
    [/Gelb Musik/, /Kaltraum Records/, /Next.*Kohle 20/i],
  ),
  frage(
    'Spielt Mira Voss nächsten Sommer auf Festivals?',
    [ofArtist({ artist: 'Mira Voss', from: 'nächster Sommer' })],
    last(
      ({ festivals }) =>
        festivals.map(({ festival }: { festival: { name: string } }) => festival.name).join() ===
        'Nordlicht Festival,Polderlicht',
    ),
    [/Nordlicht Festival/, /Polderlicht/],
  ),
];

export const french = [
  poser(
    'Que faire à Paris le week-end prochain ?',
    [search({ query: 'Paris le week-end prochain' })],
    are('Nuit Sonore Blanche'),
    [/Nuit Sonore Blanche/],
  ),
  poser(
    "Combien coûte l'entrée de la Nuit Sonore Blanche ?",
    [search({ query: 'Nuit Sonore Blanche' })],
    first('Nuit Sonore Blanche', ({ tickets: [one] }) => one.price_max === 30),
    [/22.30 EUR/, /Billetterie/],
  ),
  poser(
    "Jusqu'à quelle heure dure la Nuit Sonore Blanche, et à partir de quel âge ?",
    [search({ query: 'Nuit Sonore Blanche' })],
    first('Nuit Sonore Blanche', ({ end_at, minimum_age }) => end_at.includes('07:00') && minimum_age === 18),
    [/until .*07:00/i, /age 18/i],
  ),
  poser(
    "Où se trouve L'Usine Blanche ?",
    [atVenue({ venue: "L'Usine Blanche" })],
    last(({ venue }) => venue.location.address === '14 Rue des Fonderies'),
    [/14 Rue des Fonderies/, /75012/],
  ),
  poser(
    'De la house à Paris dans deux semaines ?',
    [search({ city: 'Paris', genre: 'house', from: 'dans deux semaines' })],
    are('Samedi Profond'),
    [/Samedi Profond/],
  ),
  poser(
    'Où a joué Jules Marchetti en octobre ?',
    [search({ artist: 'Jules Marchetti', from: '2026-10', include_past: true })],
    first('Octobre Lourd'),
    [/Octobre Lourd \| L'Usine Blanche/],
  ),
  poser(
    'Que faire à Paris pour le réveillon ?',
    [search({ city: 'Paris', from: 'réveillon' })],
    first('Réveillon Blanc', ({ tickets: [one] }) => one.price_min === 60),
    [/Réveillon Blanc/, /60 EUR/],
  ),
  poser(
    'Quels sont les sous-genres de la house ?',
    [search({ genre: 'house' })],
    last(
      ({ subgenres }) =>
        subgenres.map(({ name }: { name: string }) => name).join() === 'Deep House,Tech House',
    ),
    [/Deep House/, /Tech House/],
  ),
  poser(
    'Jules Marchetti joue-t-il dans des festivals ?',
    [info('Jules Marchetti')],
    last(({ festivals }) => festivals.length === 2),
    [/Nordlicht Festival/, /Lago Aperto/],
  ),
  poser(
    'Combien coûte un billet pour le festival Nordlicht ?',
    [search({ festival: 'Nordlicht' })],
    last(({ festivals: [one] }) => one.tickets[0].price_min === 129),
    [/129.189 EUR/, /tixforyou/],
  ),
];
