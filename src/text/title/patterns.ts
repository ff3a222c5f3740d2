/** Phrases of titles beside names, in several languages: regular expressions and their sources (flags iu). */
import { wordEnd, wordPattern, wordStart } from '../patterns.ts';

/** Ticket information: state of sale, prices, ages, doors. */
export const saleInfoPatterns: readonly RegExp[] = [
  wordPattern(
    '(?:!+ ?)?(?:sold[ -]?out|ausverkauft|complet(?! )|agotado|esaurito|uitverkocht|esgotado|wyprzedane|last (?:few )?tickets|final (?:release|tickets)(?: only)?|low tickets|limited tickets|few tickets left|selling fast|restkarten|letzte tickets|extra tickets|re-?sale|resale tickets|tickets? (?:on sale )?now(?: on sale)?|on sale now|now on sale|buy tickets|get tickets|early ?bird(?: tickets?)?|presale|vorverkauf|vvk|abendkasse|ak|(?<!(?:day|weekend|festival|season|combi|combo|kombi|tages|park|dag)[ -]?)tickets?|biglietti|entradas|billets|bilety|ingressos|kaarten|karten)',
  ),
  wordPattern(
    '(?:cancell?ed|postponed|rescheduled|moved|verlegt|abgesagt|verschoben|annulé|reporté|cancelado|aplazado|annullato|rinviato|afgelast|verplaatst|odwołane|przełożone|new date|neuer termin|nouvelle date|nueva fecha|nuova data|ersatztermin|nachholtermin|upgraded|venue change|hochverlegt)',
  ),
  wordPattern(
    '(?:free (?:entry|entrance|admission|event|show|party|rave|before \\d+(?:am|pm)?)|eintritt frei|freier eintritt|entrée (?:libre|gratuite)|entrada (?:libre|gratis|gratuita|franca)|ingresso (?:libero|gratuito)|gratis(?: entree)?|wstęp wolny|(?<!dj )guestlist(?: only)?|rsvp(?: only)?)',
  ),
  new RegExp(
    `${wordStart}(?:ab|over|ages?|from|a partir de|od)?\\s*(?:1[4-9]|2[015])(?:\\+|\\s?(?:plus${wordEnd}|s${wordEnd}|jahren?${wordEnd}|years?${wordEnd}|only${wordEnd}|ans${wordEnd}|años${wordEnd}| and over| & over))`,
    'giu',
  ),
  new RegExp(
    `(?:${wordStart}(?:from|ab|à partir de|desde|da|od|only|nur|entry|eintritt)\\s+)?(?:[€$£]\\s?\\d+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?\\s?(?:€|£|\\$|eur${wordEnd}|euros?${wordEnd}|usd${wordEnd}|gbp${wordEnd}|zł|pln${wordEnd}|chf${wordEnd}))`,
    'giu',
  ),
  wordPattern(
    '(?:doors|einlass|beginn|apertura puertas|ouverture(?: des)? portes)(?: open)?(?: at|:)?\\s*\\d{1,2}(?:[:.h]\\d{2})?\\s?(?:h|uhr|am|pm)?',
  ),
  wordPattern(
    '(?:(?:before|until|till|from|bis|vor|ab|dès|desde|dalle) )?(?:\\d{1,2}(?::\\d{2})?\\s?(?:am|pm)|\\d{1,2}[:.]\\d{2}(?: ?uhr)?|\\d{1,2} ?(?:uhr|h)(?! (?:set|live|dj|long|extended)))(?: ?[–-] ?(?:\\d{1,2}(?::\\d{2})?\\s?(?:am|pm)|\\d{1,2}[:.]\\d{2}(?: ?uhr)?|\\d{1,2} ?(?:uhr|h)?|late|close|open end))?',
  ),
  wordPattern(
    '(?:official event|the official|exclusive|only (?:uk|us|german|dutch|italian|spanish|french|polish|european) (?:show|date)(?: of \\d{4})?|one night only)',
  ),
];

/** Occasions of an event: [occasion, expression]. Two listings with different occasions are two events. */
export const occasionPatterns: readonly (readonly [string, RegExp])[] = (
  [
    [
      'early show',
      '(?:early|first|1st|matinee) (?:show|set|session|performance|gig|concert)|early$|1\\. show|première séance|1(?:ère|re|ere) séance|primer pase|primo show|frühe show|frühvorstellung|early doors',
    ],
    [
      'late show',
      '(?:late(?: night)?|second|2nd) (?:show|set|session|performance|gig|concert)|2\\. show|zusatzshow|zusatzkonzert|additional show|extra show|second show added|deuxième séance|2(?:ème|e|nde) séance|seconde séance|séance supplémentaire|segundo pase|secondo show|späte show|spätvorstellung',
    ],
    [
      'matinee',
      'matin[eé]e|matinée|nachmittagsvorstellung|daytime|day ?time party|day party|day rave|daydance|tagestanz|tagesprogramm|tardeo|de tarde|afternoon',
    ],
    ['night', 'night(?:time)? party|nachtprogramm|late night|lates'],
    [
      'after-party',
      '(?:the )?(?:official )?(?:after[ -]?(?:part(?:y|ies)|show(?: party)?|hours?|life party)|afters|after movie party|aftershow|afterparty|afterhours?|after)(?= |$|:|,|\\)|\\]|!|-|–)',
    ],
    [
      'pre-party',
      '(?:the )?(?:official )?(?:pre[ -]?part(?:y|ies)|pre[ -]?show|warm[ -]?up part(?:y|ies)|kick[ -]?off|vorglühen|before party|pre-drinks)',
    ],
    [
      'opening',
      "(?:(?:grand|season|summer|club|festival|the) )?(?:opening|re-?opening)(?: (?:party|night|weekend|rave|event|show|concert|festival|gala|ceremony|season))?|eröffnung(?:sparty|sfeier)?|soirée d'ouverture|ouverture|inauguración|apertura|inaugurazione|openings?feest|otwarcie|abertura|fiesta de apertura",
    ],
    [
      'closing',
      '(?:(?:season|summer|club|festival|the|final|grand) )?closing(?: (?:party|night|weekend|rave|event|show|concert|festival|fiesta|set))?|abschluss(?:party)?|saisonabschluss|clôture|soirée de clôture|cierre|fiesta de cierre|chiusura|slotfeest|zamknięcie|encerramento',
    ],
    [
      'album release',
      "(?:(?:debut )?(?:album|record|ep|lp|single|cd|vinyl|release|launch|tape|book|compilation|platten)[ -]?)(?:release|launch|taufe|releas)?[ -]?(?:party|show|concert|konzert|event|night|tour|gig|feier|fest)|(?:album|record|ep|lp|single) (?:release|launch)|release(?:[ -]?(?:party|show|konzert|concert))|releaseparty|releasekonzert|soirée de sortie|sortie d'album|presentación (?:del )?(?:disco|álbum|album|ep)|presenta(?:zione|ndo)? (?:il )?(?:nuovo )?(?:disco|album)|premiera (?:płyty|albumu)|lançamento|albumpresentatie",
    ],
    [
      'birthday',
      '(?:(?:\\d+(?:st|nd|rd|th|\\.)? )?(?:birthday|b[ -]?day|bday)(?: (?:party|bash|rave|special|weekender|weekend|celebration|show|edition|night))?|geburtstag(?:sparty|srave|sfeier|sause)?|anniversaire|cumpleaños|compleanno|verjaardag(?:sfeest)?|urodziny|aniversário|turns \\d+)',
    ],
    [
      'anniversary',
      '(?:\\d+(?:st|nd|rd|th|\\.)?[ -]?(?:year|jahre|jähriges)? ?)?(?:anniversary|anniversario|aniversario|jubiläum|jubileum|rocznica)(?: (?:party|special|show|rave|weekend|tour|edition))?',
    ],
    [
      'all night long',
      'all[ -](?:night|nite|day)(?:[ -]long)?|open (?:to|2|till) close|die ganze nacht|toute la nuit|toda la noche|tutta la notte|a noite toda|całą noc|de hele nacht',
    ],
    [
      'open air',
      'open[ -]?air|outdoor(?:s)?(?: rave| party| edition)?|en plein air|plein air|al aire libre|all.aperto|openlucht|plenerowa?|ao ar livre|block party|rooftop(?: party| edition| sessions?)?',
    ],
    ['boat', '(?:boat|cruise|yacht|catamaran) (?:party|rave|cruise)|bootsparty|boat|croisière|barco'],
    [
      'new year',
      "(?:new year'?s?(?: eve| day)?|nye|nyd|silvester(?:party|rave)?|sylwester|réveillon|nochevieja|capodanno|oud (?:&|en) nieuw)(?: \\d{4}(?:/\\d{2,4})?)?",
    ],
    ['halloween', 'halloween(?: (?:party|special|rave|ball|edition|weekend))?'],
    [
      'tribute',
      '(?:a |the )?(?:ultimate |official )?(?:tribute(?: (?:to|band|show|act|night|concert|al?))?|cover ?band|covers? night|coverband|tributo|hommage à|homenaje a|omaggio a|candlelight(?: open air)?|performed by|the music of|orchestral|symphonic|plays the music of|songs of|legacy of|experience)',
    ],
    [
      'weekend ticket',
      '(?:weekend|festival|3[ -]?day|2[ -]?day|4[ -]?day|three[ -]day|two[ -]day|multi[ -]?day|full|full festival|season|wochenend|kombi|combi|combo|2[ -]?tages|3[ -]?tages|camping)[ -]?(?:pass(?:es)?|ticket|tickets|karte|kombiticket|combiticket|wristband|dauerkarte|abo|admission|package)|dauerkarte|abbonamento|abono(?: \\d d[ií]as)?|pass (?:\\d )?jours|pass weekend|karnet|passe geral|passe-?partout|weekender pass|festivalpass|forfait',
    ],
    [
      'day ticket',
      '(?:single )?(?:day|tages|friday|saturday|sunday|thursday|freitag|samstag|sonntag|dag|1[ -]day|one[ -]day)[ -]?(?:pass|ticket|tickets|karte)|tagesticket|tageskarte|dagticket|billet jour|entrada de d[ií]a|biglietto giornaliero|bilet jednodniowy',
    ],
    [
      'parking',
      '(?:car )?park(?:ing|platz)?(?: (?:pass|ticket|permit))?|parkticket|camping|campsite|glamping|locker|shuttle|bus ?(?:transfer|ticket)?|vip (?:upgrade|package|tables?|experience|booth)(?: reservations?)?|table (?:reservations?|bookings?|service)|meet ?(?:&|and) ?greet|hotel package|upgrade|gutschein|voucher|gift card',
    ],
    [
      'workshop',
      'workshop|masterclass|talk|panel|lecture|q ?& ?a|in conversation|screening|film|exhibition|ausstellung|vernissage|listening session|yoga|market|flohmarkt|vinyl market|record fair|quiz|karaoke|stand[ -]?up|comedy|lesung|reading|running club|brunch|bingo|bottomless',
    ],
  ] as const
).map(([name, source]) => [name, wordPattern(source)] as const);

/** A part of a longer event: "Day 2", "Night 1". */
export const partPattern = wordPattern(
  '(?<what>day|night|tag|nacht|jour|nuit|día|dia|noche|giorno|notte|dag|dzień|noc|noite|part|pt\\.?|teil|parte|partie|week|weekend|wochenende|session|show|date|concert|termin|set)[ #.:-]{0,2}(?<number>[1-9]|one|two|three|four|i{1,3}|iv|eins|zwei|drei|uno|dos|tres|due|deux|trois)(?: ?(?:/|of|von|de|di) ?\\d)?|(?<ordinal>1st|2nd|3rd|first|second|third|erster|zweiter|dritter|1\\.|2\\.|3\\.|final|letzter) (?<whole>day|night|tag|nacht|abend|weekend|date|termin)',
);

export const weekday =
  '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)days?|mon|tue|wed|thu|thur|thurs|fri|sat|sun|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonnabends?|sonntags?|mo|di|mi|do|fr|sa|so|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|miercoles|jueves|viernes|sábados?|sabado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|segunda|terça|quarta|quinta|sexta';
const month =
  'jan(?:uar[yi]?|\\.)?|feb(?:ruar[yi]?|\\.)?|m(?:ar(?:ch|zo|s|\\.)?|ärz)|apr(?:il|ile|\\.)?|ma[iy]o?|jun[ei]?|juni|jul[yi]?|juli|aug(?:ust|\\.)?|sept?(?:ember|\\.)?|o[ck]t(?:ober|\\.)?|nov(?:ember|\\.)?|de[cz](?:ember|\\.)?|enero|febrero|abril|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|avril|juin|juillet|août|septembre|octobre|novembre|décembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|maart|mei|augustus|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro';
const optionalWeekday = `(?:(?:${weekday})[.,]?\\s+)?`;
/** Dates. Weekdays and years alone are not included, because they are parts of names too ("Finest Friday"). */
export const datePatterns: readonly RegExp[] = [
  wordPattern(
    `${optionalWeekday}(?:the )?(?:\\d{1,2}(?:st|nd|rd|th|\\.|º|er)?\\s*(?:[–&+-]|and|und|to|bis)\\s*)?\\d{1,2}(?:st|nd|rd|th|\\.|º|er)?\\s*(?:of |de |di )?(?:${month})(?:[ ,'’]{1,3}(?:de )?(?:20)?\\d{2})?`,
  ),
  wordPattern(
    `${optionalWeekday}(?:${month})\\s+(?:\\d{1,2}(?:st|nd|rd|th)?\\s*[–&+-]\\s*)?\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+20\\d{2})?`,
  ),
  wordPattern(
    `${optionalWeekday}(?:20\\d{2}[./-]\\d{1,2}[./-]\\d{1,2}|\\d{1,2}[./-]\\d{1,2}[./-](?:20)?\\d{2}|\\d{1,2}\\.\\d{1,2}\\.|\\d{2}/\\d{2})`,
  ),
];

/** Editions of a series: "#45", "Vol. 3", "XXL", "10 Years of". */
export const editionPatterns: readonly RegExp[] = [
  wordPattern(
    '(?<years>\\d{1,2})[ -]?(?:years?|yrs|jahre|ans|años|anni|jaar|lat|anos)(?: (?:of|de|di|van|anniversary|birthday|jubiläum|party|special|celebration|x)(?= |$))?',
  ),
  new RegExp(`(?:#|№|n°|nº)\\s?(?<mark>\\d{1,4})${wordEnd}`, 'giu'),
  wordPattern(
    '(?:vol(?:ume)?|no|nr|num|edition|ed|ausgabe|ausg|chapter|ch|episode|ep|kapitel|capitolo|capítulo|chapitre|rozdział|edición|edizione|édition|edição|edycja|hoofdstuk|round|act)(?:\\s?[.:#]?\\s?(?<number>\\d{1,4})|(?:\\s|[.:#]\\s?)(?<roman>[ivx]{1,5}))',
  ),
  wordPattern(
    '(?<ordinal>\\d{1,3})(?:st|nd|rd|th|\\.|ª|ème|e) (?:edition|ausgabe|edición|edizione|édition|edição|edycja)',
  ),
  // "Half Baked XXL", but "Viper XXL, Ann".
  wordPattern('(?<size>xxl|xl)(?=\\s*(?:$|[:|•–@(]|-\\s|w/|with|mit))'),
];

/** Words before "tour". Each text must have one reading as a sequence of these: a second one would double the work with each word. */
const tourModifier =
  "(?:the|farewell|final|reunion|world|worldwide|global|international|european|europe|eu|uk|u\\.k\\.|uk/ie|irish|ireland|us|u\\.s\\.|usa|american|america|north|south|latin|asia|asian|australia|australian|anz|aus|nz|canada|canadian|mexico|brazil|german|germany|deutschland|french|france|italian|italy|italia|españa|spain|iberian|nordic|scandinavian|baltic|east|eastern|west|western|coast|spring|summer|fall|autumn|winter|frühjahrs?|sommer|herbst|festival|club|live|album|debut|anniversary|headline|headlining|arena|stadium|theatre|acoustic|solo|a/v|tour|on|mini|first|last|the|20\\d\\d|'\\d\\d|\\d+th|\\d+ years?|&|and|/|-|–)";
/** A tour with its modifiers: "European Tour 2026", "Tournee", "gira". */
export const tourPattern = wordPattern(
  `(?:${tourModifier}\\s*)*(?:tour|tournee|tournée|gira|turnê|tourn[eé]|trasa(?: koncertowa)?|tour ?20\\d\\d|live-?tour)(?:\\s+(?:(?:of )?(?:the )?(?:20\\d\\d(?:/(?:20)?\\d\\d)?|europe|uk|us|usa|germany|north america|part \\d|pt\\.? ?\\d|leg \\d|mundial|europea|españa|américa|italia|france|deutschland)|20\\d\\d))*`,
);
/** Words of a segment that is the name of a tour. */
export const tourWord = wordPattern(
  'tour|tournee|tournée|gira|turnê|trasa(?: koncertowa)?|live-?tour|world ?tour',
);

/** "X presents Y". */
export const presentsPattern = new RegExp(
  `\\s*${wordStart}(?:pres(?:ents?|enting|\\.)?|präsentier(?:t|en)|présente(?:nt)?|presenta(?:n|ndo)?|presenteert|presenteren|apresenta(?:m)?|prezentuj[eą]|proud(?:ly)? presents?|curated by|kuratiert von)(?:[.:]|${wordEnd})\\s*:?\\s*`,
  'iu',
);
/** "X invites Y", "X hosts Y". */
export const invitesPattern = new RegExp(
  `\\s*${wordStart}(?:invit(?:es?|ent|a|an|eert|ing)|zaprasza|convida|lädt ein|hosts?|welcomes|introduc(?:es|ing)|meets|goes|takeover by)(?:[.:]|${wordEnd})\\s*:?\\s*`,
  'iu',
);
export const withPattern = new RegExp(
  `\\s*${wordStart}(?:\\/w(?=\\s)|w\\s?/+|w\\./?(?=\\s+\\S)|(?<!\\bdj )with${wordEnd}|mit${wordEnd}|avec${wordEnd}|con${wordEnd}|com${wordEnd}|met${wordEnd}|z udziałem${wordEnd}|starring${wordEnd})\\s*:?\\s*`,
  'iu',
);
/** "hosted by X", "by X" at the end. */
export const hostedByPattern = new RegExp(
  `\\s*[–([-]?\\s*${wordStart}(?:(?:hosted|presented|curated|powered|organi[sz]ed|promoted) by|présenté par|presentado por|gehostet von)\\s+(?<who>[^()[\\]]+)[)\\]]?$`,
  'iu',
);

/** Phrases before the artist of a tribute, who does not play. */
export const tributeTo = new RegExp(
  `[–|:-]?\\s*${wordStart}(?:(?:a |the )?(?:\\p{L}+ )?tribute(?: show| night| concert)? to|(?:performing )?the music of|(?:the )?songs of|hommage à|homenaje a|omaggio a|tributo a|plays? the music of|performed by|a celebration of)${wordEnd}`,
  'iu',
);

/** Words of series: a single segment with one of them is a series, not an act. */
export const seriesWordPattern = wordPattern(
  '\\p{L}*(?:nacht|sonntag|samstag|fest|feier)|\\p{L}*nächte|nights?|nites?|nuit|noche|notte|noc|noite|party|parties|fiesta|festa|fête|feest|soirée|soiree|rave|raves|festival|fest|festivals|clubbing|clubnight|klubnacht|clubnacht|sessions?|series|serie|showcase|label ?night|records|recordings|residency|discothèque|weekender|weekend|carnival|karneval|gala|edition|takeover|concert series|konzertreihe|conference|sundays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|friday|saturday|sunday|freitag|samstag|sonntag|donnerstag|happening|matinee|salon|sundowner|afterwork|after work|open air|picnic|brunch|bingo|techno|drum ?(?:&|and|n) ?bass|dnb|jungle|dubstep|gabber|throwback|90s|80s|2000s|all styles|reggaeton',
);
export const yearPattern = new RegExp(`${wordStart}(?:20[1-4]\\d(?:/(?:20)?\\d\\d)?)${wordEnd}`, 'gu');
