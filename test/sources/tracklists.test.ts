/** Tracklists as people write them in show notes, and what looks like one and is none. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { htmlTitleToText, htmlToText } from '../../src/sources/common/html.ts';
import {
  chaptersToTracks,
  parseTracklist,
  type TracklistHints,
} from '../../src/sources/podcast/tracklist/parse.ts';

/** A track in short: `[start] artist > title @ label`; what nobody knows is `?`. */
const short = (text: string, hints?: TracklistHints): string[] =>
  parseTracklist(htmlToText(text), hints).map(
    ({ start_seconds: start, artist_name: artist, title, label_name: label }) =>
      `${start === undefined ? '' : `[${start}] `}${artist ?? '?'} > ${title ?? '?'}${label === undefined ? '' : ` @ ${label}`}`,
  );

type Case = { name: string; notes: string; tracks: string[]; hints?: TracklistHints };

const lists: Case[] = [
  {
    name: 'numbered, labels in square brackets',
    notes:
      'A mix.\n\n01. Surgeon - Atol [Downwards]\n02. Regis - Execution Ground [Downwards]\n03. Female - Into the Exotic [Downwards]',
    tracks: [
      'Surgeon > Atol @ Downwards',
      'Regis > Execution Ground @ Downwards',
      'Female > Into the Exotic @ Downwards',
    ],
  },
  {
    name: 'numbered with brackets, en dashes',
    notes:
      '1) Pépé Bradock – Deep Burnt\n2) Moodymann – Shades of Jae\n3) Theo Parrish – Falling Up (Carl Craig Remix)',
    tracks: [
      'Pépé Bradock > Deep Burnt',
      'Moodymann > Shades of Jae',
      'Theo Parrish > Falling Up (Carl Craig Remix)',
    ],
  },
  {
    name: 'numbered with a space alone; names of numbers stay whole',
    notes: '1 808 State - Pacific\n2 2 Bad Mice - Bombscare\n3 4hero - Mr. Kirk',
    tracks: ['808 State > Pacific', '2 Bad Mice > Bombscare', '4hero > Mr. Kirk'],
  },
  {
    name: 'names that begin with a number are not numbered',
    notes: 'Tracklist\n808 State - Pacific\n100 gecs - Money Machine\n2 Unlimited - No Limit',
    tracks: ['808 State > Pacific', '100 gecs > Money Machine', '2 Unlimited > No Limit'],
  },
  {
    name: 'sides of records',
    notes: 'A1. Basic Channel - Phylyps Trak\nA2. Maurizio - M4\nB1. Rhythm & Sound - Carrier',
    tracks: ['Basic Channel > Phylyps Trak', 'Maurizio > M4', 'Rhythm & Sound > Carrier'],
  },
  {
    name: 'a name like a side is a name',
    notes: 'Tracklist:\nB12 - Telefone 529\nThe Black Dog - Virtual\nAutechre - Eggshell',
    tracks: ['B12 > Telefone 529', 'The Black Dog > Virtual', 'Autechre > Eggshell'],
  },
  {
    name: 'timed, minutes and seconds',
    notes: '00:00 Objekt - Ganzfeld\n04:30 Batu - Marius\n1:02:03 Hodge - Sub 100',
    tracks: ['[0] Objekt > Ganzfeld', '[270] Batu > Marius', '[3723] Hodge > Sub 100'],
  },
  {
    name: 'timed, in brackets',
    notes:
      '[00:00] Skee Mask - Rev8617\n[05:10] Zenker Brothers - Mount Watz\n[1:02:03] Stenny - Old Bad Habits',
    tracks: [
      '[0] Skee Mask > Rev8617',
      '[310] Zenker Brothers > Mount Watz',
      '[3723] Stenny > Old Bad Habits',
    ],
  },
  {
    name: 'timed, hours and a dash',
    notes: '0:00:00 - Burial - Archangel\n0:03:58 - Kode9 - Xingfu Lu\n0:08:01 - Zomby - Natalia’s Song',
    tracks: ['[0] Burial > Archangel', '[238] Kode9 > Xingfu Lu', '[481] Zomby > Natalia’s Song'],
  },
  {
    name: 'number and time',
    notes:
      '01. [00:00] Barker - Utility\n02. [03:30] Sam Barker - Filter Bubbles\n03. [07:45] Leafar Legov - Reunion',
    tracks: ['[0] Barker > Utility', '[210] Sam Barker > Filter Bubbles', '[465] Leafar Legov > Reunion'],
  },
  {
    name: 'from and to',
    notes:
      '00:00 - 04:12 Polar Inertia - Indirect Light\n04:12 - 09:30 Shifted - Bloodless\n09:30 - 14:00 Ventress - Surfacing',
    tracks: ['[0] Polar Inertia > Indirect Light', '[252] Shifted > Bloodless', '[570] Ventress > Surfacing'],
  },
  {
    name: 'minutes in square brackets',
    notes:
      '[000] Donato Dozzy - Vaporware 01 [Tresor]\n[006] Neel - Phobos\n[??] ID - ID\n[011] Voices From The Lake - Iyo',
    tracks: [
      '[0] Donato Dozzy > Vaporware 01 @ Tresor',
      '[360] Neel > Phobos',
      '? > ?',
      '[660] Voices From The Lake > Iyo',
    ],
  },
  {
    name: 'numbers in square brackets',
    notes: '[01] DJ Rashad - Feelin\n[02] Traxman - Footworkin on Air\n[03] RP Boo - Baby Come On',
    tracks: ['DJ Rashad > Feelin', 'Traxman > Footworkin on Air', 'RP Boo > Baby Come On'],
  },
  {
    name: 'bare lines under a heading',
    notes:
      'Words about the show.\n\nTracklist:\nAphex Twin - Xtal [Apollo]\nBoards of Canada - Roygbiv (Original Mix) [Warp]\nBola - Glink',
    tracks: [
      'Aphex Twin > Xtal @ Apollo',
      'Boards of Canada > Roygbiv (Original Mix) @ Warp',
      'Bola > Glink',
    ],
  },
  {
    name: 'a heading with a date, a blank line after it',
    notes: 'TRACK LIST 05/06/2019 :\n\nDJ Koze - Pick Up\nRoman Flügel - 9 Years',
    tracks: ['DJ Koze > Pick Up', 'Roman Flügel > 9 Years'],
  },
  {
    name: 'nobody knows them',
    notes:
      'Tracklist\n1. ID - ID\n2. Peverelist - ID\n3. Hessle - Untitled (Unreleased)\n4. ID\n5. ??? - ???\n6. Pearson Sound - Alien Mode [Unreleased]',
    tracks: ['? > ?', 'Peverelist > ?', 'Hessle > Untitled', '? > ?', '? > ?', 'Pearson Sound > Alien Mode'],
  },
  {
    name: 'an unknown title in a remix',
    notes: 'Tracklist:\nSkream - ID (Mala Remix)\nunknown artist - unknown title\nLoefah - Unreleased',
    tracks: ['Skream > ?', '? > ?', 'Loefah > ?'],
  },
  {
    name: 'layers',
    notes:
      '00:00 Tale Of Us - Another Earth\nw/ Mind Against - Walking Away (Acapella)\n06:10 Recondite - Levo\n11:00 Kiasmos - Looped w/ Moderat - A New Error',
    tracks: [
      '[0] Tale Of Us > Another Earth',
      '[0] Mind Against > Walking Away (Acapella)',
      '[370] Recondite > Levo',
      '[660] Kiasmos > Looped',
      '[660] Moderat > A New Error',
    ],
  },
  {
    name: 'layers in brackets, without times',
    notes:
      '1. Chris Liebing - Auf und Ab\n(w/ Speedy J - Pannik)\n2. Ben Sims - Hype\n3. Mark Broom - Stunned',
    tracks: ['Chris Liebing > Auf und Ab', 'Speedy J > Pannik', 'Ben Sims > Hype', 'Mark Broom > Stunned'],
  },
  {
    name: 'labels in round brackets throughout',
    notes:
      '1. Lawrence - Spark (Dial)\n2. Pantha du Prince - Saturn Strobe (Dial)\n3. Efdemin - Just a Track (Carl Craig Remix) (Dial)',
    tracks: [
      'Lawrence > Spark @ Dial',
      'Pantha du Prince > Saturn Strobe @ Dial',
      'Efdemin > Just a Track (Carl Craig Remix) @ Dial',
    ],
  },
  {
    name: 'round brackets that belong to the title',
    notes:
      'Tracklist:\nFoglianese - Kermit (The Hermit) [A.MA Records]\nDaniel Crawford - All Comes Down (Searching For)\nJukka Eskola - Tiny B',
    tracks: [
      'Foglianese > Kermit (The Hermit) @ A.MA Records',
      'Daniel Crawford > All Comes Down (Searching For)',
      'Jukka Eskola > Tiny B',
    ],
  },
  {
    name: 'labels behind a bar',
    notes:
      '1. Jon Hopkins - Open Eye Signal | Domino\n2. Four Tet - Baby | Text\n3. Caribou - Sun | City Slang',
    tracks: [
      'Jon Hopkins > Open Eye Signal @ Domino',
      'Four Tet > Baby @ Text',
      'Caribou > Sun @ City Slang',
    ],
  },
  {
    name: 'labels behind a slash',
    notes:
      '1. Actress - Hubble / Werkdiscs\n2. Lone - Pineapple Crush / Magic Wire\n3. Kuedo - Work, Live & Sleep / Planet Mu',
    tracks: [
      'Actress > Hubble @ Werkdiscs',
      'Lone > Pineapple Crush @ Magic Wire',
      'Kuedo > Work, Live & Sleep @ Planet Mu',
    ],
  },
  {
    name: 'labels behind a third dash',
    notes:
      'Tracklist:\nRobert Hood - Minus - Tresor\nJeff Mills - The Bells - Purpose Maker\nDBX - Losing Control - Accelerate',
    tracks: [
      'Robert Hood > Minus @ Tresor',
      'Jeff Mills > The Bells @ Purpose Maker',
      'DBX > Losing Control @ Accelerate',
    ],
  },
  {
    name: 'a dash within a title',
    notes: 'Tracklist:\nOrbital - Halcyon - Live\nLFO - LFO\nNightmares on Wax - Aftermath',
    tracks: ['Orbital > Halcyon - Live', 'LFO > LFO', 'Nightmares on Wax > Aftermath'],
  },
  {
    name: 'a dash within a label',
    notes: 'Tracklist:\nTree60 - Distance [S1X - Music]\nTy - Somehow (Kaidi Tatham Remix) [Jazz re:freshed]',
    tracks: ['Tree60 > Distance @ S1X - Music', 'Ty > Somehow (Kaidi Tatham Remix) @ Jazz re:freshed'],
  },
  {
    name: 'numbers of records and years are no labels',
    notes:
      '1. Marcel Dettmann - Ellipse [Ostgut Ton - OSTGUTCD30]\n2. Shed - The Praetorian [Delsin, 2008]\n3. Norman Nodge - Convection [MDR06]',
    tracks: [
      'Marcel Dettmann > Ellipse @ Ostgut Ton',
      'Shed > The Praetorian @ Delsin',
      'Norman Nodge > Convection',
    ],
  },
  {
    name: 'what is yet to come',
    notes:
      '1. Blawan - Toast [Forthcoming Ternesc]\n2. Pariah - Squish Windows [white label]\n3. Karenn - Crush the Mushrooms [free download]',
    tracks: ['Blawan > Toast @ Ternesc', 'Pariah > Squish Windows', 'Karenn > Crush the Mushrooms'],
  },
  {
    name: 'quotes',
    notes:
      'Tracklist:\nKraftwerk - "Numbers"\nCybotron – “Clear” (Jose Animal Diaz Remix)\nModel 500 — ‘No UFOs’',
    tracks: ['Kraftwerk > Numbers', 'Cybotron > Clear (Jose Animal Diaz Remix)', 'Model 500 > No UFOs'],
  },
  {
    name: 'quotes instead of a dash',
    notes:
      'Tracklist\n1. Drexciya "Andreaen Sand Dunes" [Tresor]\n2. Dopplereffekt "Pornoactress"\n3. Arpanet "Wireless Internet"',
    tracks: [
      'Drexciya > Andreaen Sand Dunes @ Tresor',
      'Dopplereffekt > Pornoactress',
      'Arpanet > Wireless Internet',
    ],
  },
  {
    name: 'hyphens in names are no dashes',
    notes: 'Tracklist:\nJay-Jay Johanson - So Tell the Girls\nS-Tone Inc. - Luz\nA-ha - Take On Me',
    tracks: ['Jay-Jay Johanson > So Tell the Girls', 'S-Tone Inc. > Luz', 'A-ha > Take On Me'],
  },
  {
    name: 'dashes without spaces',
    notes: 'Tracklist:\nRoyksopp–Eple\nBent —Swollen\nZero 7- Destiny',
    tracks: ['Royksopp > Eple', 'Bent > Swollen', 'Zero 7 > Destiny'],
  },
  {
    name: 'HTML: line breaks and entities',
    notes:
      '<p>Tracklist:<br />1. Adam Beyer &amp; Bart Skils &#8211; Your Mind<br/>2. Amelie Lens &ndash; Contradiction<br>3. Enrico Sangiuliano – Symbiosis</p>',
    tracks: [
      'Adam Beyer & Bart Skils > Your Mind',
      'Amelie Lens > Contradiction',
      'Enrico Sangiuliano > Symbiosis',
    ],
  },
  {
    name: 'HTML: a paragraph each',
    notes:
      '<p><strong>Tracklist</strong></p><p>Sasha - Xpander</p><p>BT - Flaming June</p><p>Hybrid - Finished Symphony</p>',
    tracks: ['Sasha > Xpander', 'BT > Flaming June', 'Hybrid > Finished Symphony'],
  },
  {
    name: 'HTML: an ordered list',
    notes:
      '<div>Enjoy!</div><ol><li>Goldie - Timeless</li><li>LTJ Bukem - Horizons</li><li>Photek - UFO</li></ol>',
    tracks: ['Goldie > Timeless', 'LTJ Bukem > Horizons', 'Photek > UFO'],
  },
  {
    name: 'HTML: a list with links',
    notes:
      '<h3>Playlist</h3><ul><li><a href="https://example.org/1">Sub Focus - Rock It</a> [RAM]</li><li>Noisia - Diplodocus</li></ul>',
    tracks: ['Sub Focus > Rock It @ RAM', 'Noisia > Diplodocus'],
  },
  {
    name: 'HTML that was encoded twice',
    notes:
      '&lt;p&gt;Tracklist:&lt;br&gt;Orbital - Belfast&lt;br&gt;Leftfield &amp;amp; Lydon - Open Up&lt;/p&gt;'
        .replace(/&lt;/g, '<')
        .replace(/&gt;/g, '>'),
    tracks: ['Orbital > Belfast', 'Leftfield & Lydon > Open Up'],
  },
  {
    name: 'all on one line, numbered',
    notes: 'Tracklist: 1. Perc - Look What Your Love Has Done 2. Truss - Kymin Lea 3. Ansome - British Steel',
    tracks: ['Perc > Look What Your Love Has Done', 'Truss > Kymin Lea', 'Ansome > British Steel'],
  },
  {
    name: 'all on one line, timed',
    notes: '00:00 Perc - Look What Your Love Has Done 04:10 Truss - Kymin Lea 09:30 Ansome - British Steel',
    tracks: [
      '[0] Perc > Look What Your Love Has Done',
      '[250] Truss > Kymin Lea',
      '[570] Ansome > British Steel',
    ],
  },
  {
    name: 'all on one line, parted by slashes',
    notes: 'Tracklist: Lindstrøm - I Feel Space / Prins Thomas - Fehrara / Todd Terje - Inspector Norse',
    tracks: ['Lindstrøm > I Feel Space', 'Prins Thomas > Fehrara', 'Todd Terje > Inspector Norse'],
  },
  {
    name: 'dots between artist and title',
    notes:
      '1 Rahsaan Patterson • The One For Me\n2 Hil St. Soul • Until You Come Back To Me\n3 George Duke • Every Little Step I Take',
    tracks: [
      'Rahsaan Patterson > The One For Me',
      'Hil St. Soul > Until You Come Back To Me',
      'George Duke > Every Little Step I Take',
    ],
  },
  {
    name: 'parts of a show',
    notes:
      'Tracklist\nHour 1\n1. Ricardo Villalobos - Dexter\n2. Luciano - Bomberos\nHour 2 - Guest mix: Zip\n1. Baby Ford - Tin of Worms\n2. Thomas Melchior - Different Places',
    tracks: [
      'Ricardo Villalobos > Dexter',
      'Luciano > Bomberos',
      'Baby Ford > Tin of Worms',
      'Thomas Melchior > Different Places',
    ],
  },
  {
    name: 'addresses behind tracks, and a list of links after them',
    notes:
      'Tracklist:\nPeggy Gou - Starry Night https://example.org/a\nYaeji - Raingurl (https://example.org/b)\n\nFollow us:\nInstagram - @show\nTwitter - https://twitter.com/show\nWebsite - www.example.org',
    tracks: ['Peggy Gou > Starry Night', 'Yaeji > Raingurl'],
  },
  {
    name: 'bullets and emoji',
    notes: '🎶 Tracklist 🎶\n• Bicep - Glue\n▶ Overmono - So U Kno\n- Ross From Friends - Talk to Me',
    tracks: ['Bicep > Glue', 'Overmono > So U Kno', 'Ross From Friends > Talk to Me'],
  },
  {
    name: 'digits in keycaps',
    notes:
      '1️⃣ Chase & Status - Baddadan\n2️⃣ Sammy Virji - Summertime Blues\n3️⃣ Interplanetary Criminal - B.O.T.A.',
    tracks: [
      'Chase & Status > Baddadan',
      'Sammy Virji > Summertime Blues',
      'Interplanetary Criminal > B.O.T.A.',
    ],
  },
  {
    name: 'times behind the tracks',
    notes:
      'Move D - Cymbelin (0:00)\nJohn Beltran - Placid Angels (6:20)\nAs One - The Message In Herbie’s Shirts (12:05)\nKirk Degiorgio - Bahia (18:11)',
    tracks: [],
  },
  {
    name: 'times behind the tracks, under a heading',
    notes:
      'Tracklist\nMove D - Cymbelin (0:00)\nJohn Beltran - Placid Angels (6:20)\nAs One - Shirts (12:05)',
    tracks: ['Move D > Cymbelin', 'John Beltran > Placid Angels', 'As One > Shirts'],
  },
  {
    name: 'lengths behind the tracks',
    notes:
      'Tracklist\n1. Move D - Cymbelin (6:20)\n2. John Beltran - Placid Angels (5:12)\n3. As One - Shirts 4:45',
    tracks: ['Move D > Cymbelin', 'John Beltran > Placid Angels', 'As One > Shirts'],
  },
  {
    name: 'a heading in another language',
    notes: 'Трек-лист:\nНина Кравиц - Ghetto Kraviz\nPhilipp Gorbachev - Silver Album',
    tracks: ['Нина Кравиц > Ghetto Kraviz', 'Philipp Gorbachev > Silver Album'],
  },
  {
    name: 'no heading, but labels and versions throughout',
    notes:
      'Tiga - Bugatti [Counter]\nBoys Noize - Starter (Extended Mix)\nErol Alkan - A Hold on Love [Phantasy]\nMatthew Dear - Her Fantasy (Poolside Remix)',
    tracks: [
      'Tiga > Bugatti @ Counter',
      'Boys Noize > Starter (Extended Mix)',
      'Erol Alkan > A Hold on Love @ Phantasy',
      'Matthew Dear > Her Fantasy (Poolside Remix)',
    ],
  },
  {
    name: 'colons throughout, under a heading',
    notes: 'Tracklisting:\nUnderworld: Rez\nLeftfield: Not Forgotten\nThe Orb: Little Fluffy Clouds',
    tracks: ['Underworld > Rez', 'Leftfield > Not Forgotten', 'The Orb > Little Fluffy Clouds'],
  },
  {
    name: 'titles by artists, under a heading',
    notes: '▬▬ Playlist ▬▬\n“Rez” by Underworld\n“Not Forgotten” by Leftfield\n“Blue Room” by The Orb',
    tracks: ['Underworld > Rez', 'Leftfield > Not Forgotten', 'The Orb > Blue Room'],
  },
  {
    name: 'an intro and an outro around the tracks',
    notes:
      '00:00 Intro\n01:30 Kerri Chandler - Atmosphere\n05:00 Larry Heard - Missing You\n09:00 Ron Trent - Altered States\n15:00 Outro',
    tracks: [
      '[90] Kerri Chandler > Atmosphere',
      '[300] Larry Heard > Missing You',
      '[540] Ron Trent > Altered States',
    ],
  },
  {
    name: 'a talk show with a tracklist all the same',
    notes: 'Music in this episode:\nYello - Oh Yeah\nHerbie Hancock - Rockit',
    hints: { isTalkShow: true },
    tracks: ['Yello > Oh Yeah', 'Herbie Hancock > Rockit'],
  },
  {
    name: 'parted by slashes, under a heading',
    notes:
      'Playlist\nDAF / Der Mussolini\nSun Ra Arkestra / Door of the Cosmos (Saturn)\nThe Bug / Skeng · Kode9 Remix (Hyperdub)\nLFO / Freak (Warp)',
    tracks: [
      'DAF > Der Mussolini',
      'Sun Ra Arkestra > Door of the Cosmos @ Saturn',
      'The Bug > Skeng · Kode9 Remix @ Hyperdub',
      'LFO > Freak @ Warp',
    ],
  },
  {
    name: 'numbers, artists and titles all parted by slashes',
    notes:
      '1 / Pépé Bradock / Deep Burnt\n2 / unknown / unknown\n3 / unknown / Plastic Dreams\n4 / Interlude',
    hints: { isMusicShow: true },
    tracks: ['Pépé Bradock > Deep Burnt', '? > ?', '? > Plastic Dreams'],
  },
  {
    name: 'slashes and no heading, in a show about music',
    notes:
      '– TELEX / Moskow Diskow\n– KANO / Another Life\nCERRONE / Supernature\n– SPACE / Magic Fly\n– DEUX / Game and Performance',
    hints: { isMusicShow: true },
    tracks: [
      'TELEX > Moskow Diskow',
      'KANO > Another Life',
      'CERRONE > Supernature',
      'SPACE > Magic Fly',
      'DEUX > Game and Performance',
    ],
  },
  {
    name: 'neither heading nor label, in a show about music',
    notes:
      'The third hour.\n\nDMX Krew – Mouse\nLegowelt – Disco Rout\nDrexciya – Wavejumper\nDynarec – Users Matrix\nPlus Device – Body Heat',
    hints: { isMusicShow: true },
    tracks: [
      'DMX Krew > Mouse',
      'Legowelt > Disco Rout',
      'Drexciya > Wavejumper',
      'Dynarec > Users Matrix',
      'Plus Device > Body Heat',
    ],
  },
  {
    name: 'titles by artists',
    notes: 'Tracklist\n1. Stand by Me (Long Mix) by Marsh\n2. Opal by Bicep, Four Tet\n3. Glue by Bicep',
    tracks: ['Marsh > Stand by Me (Long Mix)', 'Bicep, Four Tet > Opal', 'Bicep > Glue'],
  },
  {
    name: 'titles stand first, as their versions tell',
    notes:
      '1. Glue (Extended Mix) - Bicep\n2. Opal - Four Tet\n3. Windowlicker (VIP Edit) - Aphex Twin [Warp]',
    tracks: ['Bicep > Glue (Extended Mix)', 'Four Tet > Opal', 'Aphex Twin > Windowlicker (VIP Edit) @ Warp'],
  },
  {
    name: 'timed, with colons',
    notes:
      'The tracklisting was:\n0:00: YT: England Story (White)\n0:45: Maxi Priest: Sensimilla (Taxi)\n2:23: Papa Levi: Mi God Mi King (Taxi)\n25:00: Ends',
    tracks: [
      '[0] YT > England Story',
      '[45] Maxi Priest > Sensimilla @ Taxi',
      '[143] Papa Levi > Mi God Mi King @ Taxi',
    ],
  },
  {
    name: 'a heading with a date, labels behind a third dash',
    notes:
      'Playlist - 23rd February 2002\n\nHorace Andy -Skylarking -(Studio One)\nMerciless -Mavis -\nReq -Car Paint Scheme -(Warp)',
    tracks: ['Horace Andy > Skylarking @ Studio One', 'Merciless > Mavis', 'Req > Car Paint Scheme @ Warp'],
  },
  {
    name: 'a heading with spaced letters, records and labels in brackets',
    notes:
      'T R A C K L I S T :\n• 00:00 Toàn - Coraline (Phonolite - Krysalisound)\n• 03:26 Ishq - Pluto Shift (Deep Space Objects 2012)\n• 08:34 Hilary Woods - St. Agnes and the sea wall (Colt - Sacred Bones)',
    tracks: [
      '[0] Toàn > Coraline @ Krysalisound',
      '[206] Ishq > Pluto Shift',
      '[514] Hilary Woods > St. Agnes and the sea wall @ Sacred Bones',
    ],
  },
  {
    name: 'a heading at the end of a sentence, with the first track behind it',
    notes:
      'I chose the saddest ones. Here is the tracklist:01. Burial – Loner [Hyperdub]\n02. Actress – N.E.W. [Honest Jon’s]\n03. Zomby – ? [4AD]',
    tracks: ['Burial > Loner @ Hyperdub', 'Actress > N.E.W. @ Honest Jon’s', 'Zomby > ? @ 4AD'],
  },
  {
    name: 'lines that break behind the dash',
    notes:
      'Tracklist\n1  The Hacker -\nFadin’ Away [WeMe]\n2  Plural -\nI Only Knew\n3  Bitstream - Radiotherapy',
    tracks: ['The Hacker > Fadin’ Away @ WeMe', 'Plural > I Only Knew', 'Bitstream > Radiotherapy'],
  },
  {
    name: 'something is said of each track',
    notes:
      '1. June11 - White Bird\nThe opening track lifts us up and away, as opening tracks should, and it has a long story that is told here at length.\n\n2. DJ Healer - Get Away\nAnother one that needs no words.\n\n3. Black Merlin - Bosavi\nField recordings - from far away.',
    tracks: ['June11 > White Bird', 'DJ Healer > Get Away', 'Black Merlin > Bosavi'],
  },
  {
    name: 'where it is from, and where to buy it',
    notes:
      '1. DJ Shadow – Duality – Taken from the album Meiso – MoWax – buy\n2. Fugue – Contrapoint – Likemind – buy\n3. Dillinja – Total Recall – Test – buy',
    tracks: [
      'DJ Shadow > Duality @ MoWax',
      'Fugue > Contrapoint @ Likemind',
      'Dillinja > Total Recall @ Test',
    ],
  },
  {
    name: 'labels, numbers and years in brackets; what the presenter says',
    notes:
      '01 Huerta – „Some Rig“ (Three Fingerz – 3FM004) (2017)\n01.1 M. Drysch – Moderation\n02 Plastikman – „Goo“ (Plus 8 – PLUS8043) (1994)\n04 DJ Honesty – „Moment (LoSoul Remix)“ (Bass Culture – BCLTD003) (2017/2018)\n05 Dido – „Worthless“ (Arista – AR 0591) (1999)',
    tracks: [
      'Huerta > Some Rig @ Three Fingerz',
      'Plastikman > Goo @ Plus 8',
      'DJ Honesty > Moment (LoSoul Remix) @ Bass Culture',
      'Dido > Worthless @ Arista',
    ],
  },
  {
    name: 'quoted titles from records',
    notes:
      'Playlist:\nPsychoyogi – “Reach For The Sky” from Brain Repair on Independent (2024) [01:35]\nHypnotic Floor – “Toxo” from Odd Ends on Spinda Records (2021) [08:12]',
    tracks: ['Psychoyogi > Reach For The Sky', 'Hypnotic Floor > Toxo @ Spinda Records'],
  },
  {
    name: 'a set of each of two',
    notes:
      'DJ One Psy Set:\nEphedrix – Evolving Moods (Chronos Remix)\nTimelock – Radio Active\n\nDJ Two Deep Trance Mix:\nCosmic Baby – Space Track\nSasha – Xpander',
    tracks: [
      'Ephedrix > Evolving Moods (Chronos Remix)',
      'Timelock > Radio Active',
      'Cosmic Baby > Space Track',
      'Sasha > Xpander',
    ],
  },
  {
    name: 'a table',
    notes:
      '<table><tr><th>Artist</th><th>Track</th><th>Label</th></tr><tr><td>Orbital</td><td>Chime</td><td>FFRR</td></tr><tr><td>LFO</td><td>LFO</td><td>Warp</td></tr><tr><td>Unique 3</td><td>The Theme</td><td>10</td></tr><tr><td>Nightmares on Wax</td><td>Aftermath</td><td>Warp</td></tr></table>',
    hints: { isMusicShow: true },
    tracks: [
      'Orbital > Chime @ FFRR',
      'LFO > LFO @ Warp',
      'Unique 3 > The Theme @ 10',
      'Nightmares on Wax > Aftermath @ Warp',
    ],
  },
  {
    name: 'bullets that are hashes, minutes with a mark, tempo and key',
    notes:
      "Tracklist\n# 0' Vakula - Ananta Nada (122 BPM, Am)\n# 15' Ariel Kalma - Flute Meditation\n# 32' Steve Roach - The Ancients' Way (90 bpm)",
    tracks: [
      '[0] Vakula > Ananta Nada',
      '[900] Ariel Kalma > Flute Meditation',
      "[1920] Steve Roach > The Ancients' Way",
    ],
  },
];

const none: Case[] = [
  {
    name: 'chapters of a talk show',
    notes: '00:00 Welcome\n02:10 What we have been playing\n15:30 News\n45:00 Emails\n1:30:00 Goodbye',
    tracks: [],
  },
  {
    name: 'chapters of a talk show with dashes',
    notes:
      '00:00 Intro - welcome back\n02:10 News - what happened\n15:30 Interview - Jane Doe\n45:00 Outro - goodbye',
    tracks: [],
  },
  {
    name: 'a talk show known as one',
    notes: '1. Doom - a review\n2. Quake - a retrospective\n3. Myst - why it matters',
    hints: { isTalkShow: true },
    tracks: [],
  },
  {
    name: 'a schedule',
    notes: '20:00 Main Floor - Ben Klock\n22:00 Main Floor - Marcel Dettmann\n23:30 Bar - Nick Höppner',
    tracks: [],
  },
  {
    name: 'a schedule with halves of the day',
    notes: '8:00 pm Tech Show - DJ One\n9:00 pm House Show - DJ Two\n10:00 pm Trance Show - DJ Three',
    tracks: [],
  },
  {
    name: 'a list of links',
    notes:
      'Facebook - https://facebook.com/x\nTwitter - @x\nInstagram - @x\nWebsite - https://example.org\nMixcloud - https://mixcloud.com/x',
    tracks: [],
  },
  {
    name: 'credits',
    notes: 'Host - Jane Doe\nProducer - John Doe\nArtwork - Studio X\nPhoto - Y',
    tracks: [],
  },
  {
    name: 'days of the week',
    notes: 'Monday - Techno Night\nTuesday - House Night\nWednesday - Trance Night\nFriday - Open Decks',
    tracks: [],
  },
  {
    name: 'sponsors',
    notes:
      'This show is sponsored by:\nSquarespace - use code SHOW for 10% off\nAudible - go to audible.com/show\nCasper - casper.com/show',
    tracks: [],
  },
  {
    name: 'prose with dashes',
    notes:
      'We talked - at length - about the summer.\nIt was hot - very hot - and nobody slept.\nThen came the rain - at last - and all was well.\nMore next week - as ever.',
    tracks: [],
  },
  { name: 'a numbered list of advice', notes: '1. Drink water\n2. Sleep well\n3. Be kind', tracks: [] },
  {
    name: 'a tracklist that is elsewhere',
    notes: 'Tracklist is in the comments.\n\nThanks for listening - see you soon\nLove - Jane',
    tracks: [],
  },
  {
    name: 'a tracklist behind a link',
    notes: 'Full tracklist: https://example.org/1\nInstagram - @x\nTwitter - @x',
    tracks: [],
  },
  { name: 'two lines are no list', notes: '1. Autechre - Eutow\n2. Plaid - Eyen', tracks: [] },
  {
    name: 'one name in front of all',
    notes: '1. Orbital - brothers\n2. Orbital - history\n3. Orbital - albums\n4. Orbital - tours',
    tracks: [],
  },
  { name: 'to be announced', notes: 'Tracklist: TBA\n\nEnjoy - it', tracks: [] },
  {
    name: 'credits with colons',
    notes: 'Tracklist: soon\nMixed by: X\nWebsite: example.org\nGenre: Techno\nDate: May',
    tracks: [],
  },
  { name: 'nothing', notes: '', tracks: [] },
  {
    name: 'dates of a tour, in a show about music',
    notes:
      'On tour:\n12.05 - Tresor, Berlin\n19.05 - Fabric, London\n26.05 - Rex Club, Paris\n01.06 - Sub Club, Glasgow\n07.06 - Nitsa, Barcelona',
    hints: { isMusicShow: true },
    tracks: [],
  },
  {
    name: 'facts of a DJ, in a show about music',
    notes:
      'Influences – techno, house and dub\nResidencies – Concrete, Tresor\nLabels – Semantica, Delsin\nBased in – Berlin',
    hints: { isMusicShow: true },
    tracks: [],
  },
  {
    name: 'books by people, in a show that says nothing of music',
    notes:
      '1. The Trial by Franz Kafka\n2. Emma by Jane Austen\n3. Ulysses by James Joyce\n4. Dubliners by James Joyce',
    tracks: [],
  },
  {
    name: 'alternatives, in a show that says nothing of music',
    notes: 'tea / coffee\ncats / dogs\nsea / mountains\ntrain / bus\nday / night',
    tracks: [],
  },
];

for (const { name, notes, tracks, hints } of lists)
  test(`tracklist: ${name}`, () => assert.deepEqual(short(notes, hints), tracks));
for (const { name, notes, hints } of none)
  test(`no tracklist: ${name}`, () => assert.deepEqual(short(notes, hints), []));

test('positions count from one, over all parts', () => {
  const tracks = parseTracklist('Tracklist\nA - B\nC - D\nHour 2\nE - F');
  assert.deepEqual(
    tracks.map(({ position }) => position),
    [1, 2, 3],
  );
});

test('times beyond the recording are none', () => {
  const notes = '00:00 Objekt - Ganzfeld\n04:30 Batu - Marius\n59:03 Hodge - Sub 100';
  assert.equal(short(notes, { durationSeconds: 3_600 })[2], '[3543] Hodge > Sub 100');
  assert.equal(short(notes, { durationSeconds: 600 })[2], 'Hodge > Sub 100');
});

test('chapters are tracks where they name artist and title', () => {
  const music = [
    { start: 0, title: 'Bonobo - Kerala' },
    { start: 240.6, title: 'Floating Points – Silhouettes [Pluto]' },
    { start: 600, title: 'ID - ID' },
  ];
  assert.deepEqual(chaptersToTracks(music), [
    { position: 1, start_seconds: 0, artist_name: 'Bonobo', title: 'Kerala' },
    {
      position: 2,
      start_seconds: 240,
      artist_name: 'Floating Points',
      title: 'Silhouettes',
      label_name: 'Pluto',
    },
    { position: 3, start_seconds: 600, artist_name: null, title: null },
  ]);
  const talk = ['Intro', 'News of the week', 'Interview: Jane Doe', 'Outro'];
  assert.deepEqual(chaptersToTracks(talk.map((title, index) => ({ start: index * 60, title }))), []);
  assert.deepEqual(chaptersToTracks(music, { isTalkShow: true }), []);
});

test('hostile notes end', () => {
  const notes = [
    '<b>'.repeat(60_000),
    `Tracklist:\n${'- '.repeat(100_000)}`,
    '00:00 '.repeat(50_000),
    `${'('.repeat(50_000)} - ${')'.repeat(50_000)}`,
    `Tracklist:\n${'A - B\n'.repeat(100_000)}`,
    `1. ${'a'.repeat(290)} - ${' '.repeat(200)}b`,
    '&amp;'.repeat(40_000),
  ];
  for (const text of notes) assert.ok(parseTracklist(htmlToText(text)).length <= 600);
});

test('show notes as text', () => {
  assert.equal(
    htmlToText('<p>One<br>two</p><p>Three &amp; four</p><script>x()</script>'),
    'One\ntwo\n\nThree & four',
  );
  assert.equal(htmlToText('plain\nlines stay'), 'plain\nlines stay');
  assert.equal(htmlToText('<p>wrapped\nprose</p>'), 'wrapped prose');
  assert.equal(htmlToText('<ul><li>a</li><li>b</li></ul>'), '• a\n• b');
  assert.equal(htmlTitleToText('Rock &amp;amp; Roll <b>live</b> <3'), 'Rock & Roll live <3');
});

const mixcloud = new URL('../../../shared/data/mixcloud/', import.meta.url);
test('the texts of real shows', {
  skip: existsSync(mixcloud) ? false : 'the recorded data is not here',
}, () => {
  const texts = new Set<string>();
  for (const file of readdirSync(mixcloud)) {
    // The recordings are two documents each, with a line between.
    for (const [string] of readFileSync(new URL(file, mixcloud), 'utf8').matchAll(/"(?:[^"\\\n]|\\.){80,}"/g))
      texts.add(JSON.parse(string));
  }
  const lists = [...texts]
    .map((text) => ({ text, tracks: parseTracklist(text) }))
    .filter(({ tracks }) => tracks.length > 0);
  const series = lists.filter(({ text }) => text.includes('On The Right Track'));
  assert.equal(texts.size > 250, true);
  assert.equal(lists.length, series.length + 4);
  assert.deepEqual(
    lists
      .filter((list) => !series.includes(list))
      .map(({ tracks }) => [tracks.length, tracks[0]?.artist_name]),
    [
      [18, 'MF Tomlinson'],
      [14, 'Rahsaan Patterson'],
      [11, 'The True Jazzchild'],
      [13, 'Soul II Soul'],
    ],
  );
  for (const { text, tracks } of series) {
    // Of these every line under the heading is a track.
    const listed = (text.split(/Tracklist[^\n]*:\s*\n/)[1] as string).split(/\n\s*\n/)[0] as string;
    assert.equal(tracks.length, listed.trim().split('\n').length, text.slice(0, 60));
    for (const track of tracks) assert.ok(track.artist_name && track.title);
  }
  const first = series[0]?.tracks[0];
  assert.equal(first?.artist_name, 'The Gondwana Orchestra feat. Dwight Trible');
  assert.equal(first?.title, "You've Got To Have Freedom");
  assert.equal(first?.label_name, 'Gondwana Records');
});
