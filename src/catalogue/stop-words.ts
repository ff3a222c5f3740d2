/** Stop words of queries in several languages: data for `query-parser.ts`. */

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u).filter(Boolean));

/** Question words, conjunctions and fillers; ignored unless they are part of a name. */
export const stopWords = wordSet(
  `a an the in at on of for by with from near around to into out and or b2b b3b f2f vs versus x feat ft featuring any some all
  event events party parties gig gigs show shows concert concerts rave raves night nights club clubs clubbing music dj djs
  set sets upcoming next coming playing play plays played live lineup line-up ticket tickets address happening going is are am was were
  be been being who whos who's what whats what's where where's when when's which whose why how how's if than then there here this
  that these those find list search please good great best nice tour tours touring date dates schedule agenda calendar listings
  do does did doing don't doesn't can can't could will would should shall may might must have has had having get gets got give
  let's let i i'm i'd i'll me my we we're us our you your he she they it its it's him her them their
  want wants wanna would-like like love need needs looking look see seeing watch hear listen catch go goes dance dancing tell
  show know about until till til before after since between through during over around again also too just only ever soon much
  many more most anything something someone anyone somebody anybody anywhere somewhere everything people else up off still yet
  sera soir abend nacht noche noite avond notte nuit
  yes no thanks thank hi hello hey perform performs performing appear appears appearing spin spins spinning day days evening
  weekend week month year time times today tonight tomorrow now dancefloor scene stuff things thing
  electronic-music gigging cost costs costing ? & + , - – — | / !
  ich du er sie wir ihr uns mich mir will möchte kann können könnte soll sehen hören tanzen gehen sind bin war was wo wer wie
  wann warum welche welcher welches wohin läuft laufen spielt spielen auftritt auftritte tritt geht gibt's gibts ist es gibt im am
  spielte spielten gespielt aufgetreten aufgelegt hat haben hatte kostet kosten viel wieviel teuer kommt findet statt karte karten eintrittskarten eintritt programm zeitplan spielzeiten legt legen auflegt auflegen pincha pinchan pinchará entradas entrada billet billets programa programme
  nähe gerade près proximité timetable timetables running-order horaires horarios biglietti biglietto sort-on bilhetes kaartjes bekomme bekommt bekommen kaufen kaufe
  adresse anschrift dirección direccion indirizzo adres endereço
  an auf aus bei bis zu zum zur und oder mit der die das den dem des ein eine einen einer für nach von vom vor konzert konzerte
  veranstaltung veranstaltungen partys diese dieses dieser nächste nächsten nächstes nächster noch auch etwas irgendwo zwischen
  je j'ai tu il elle on nous vous ils elles me moi veux voudrais voir écouter danser aller peux peut-on puis-je est est-ce
  qu'est-ce que qu'il où qui quoi quel quelle quels quelles quand comment joue jouent jouer passe y-a-t-il y a-t-il il a le la les
  un une des du de dans en à au aux et ou avec pour par sur chez jusqu'à jusque entre prochain prochaine prochains sortir soirée
  soirées concert spectacle cherche trouver sont
  combien coûte coûtent ça cela c'est joué jouait fois
  yo me quiero quisiera puedo puede ver oír escuchar bailar ir qué que quién quien dónde donde cuándo cuando cómo cuál hay toca
  tocan tocará actúa está están es son el los las una unos unas del al con para por sobre hasta desde entre y o u fiesta fiestas
  evento eventos concierto conciertos próximo próxima próximos busco
  cuánto cuanto cuesta cuestan tocó
  io voglio vorrei posso vedere sentire ascoltare ballare andare che chi cosa cos'è dove dov'è quando come quale c'è ci sono suona
  suonano suonerà il lo gli di da dal dalla e ed con per fino tra fra festa feste evento eventi concerti serata serate prossimo
  prossima cerco
  quanto quanta costa costano suonato suonava
  ik wil wilt kan kunnen zien horen dansen gaan wat waar wie wanneer waarom welke speelt spelen treedt is er het een van voor met
  op naar tot tussen volgende feest feesten optreden optredens zoek
  hoeveel hoe duur kost speelde gespeeld
  eu quero queria posso ver ouvir dançar ir quem onde aonde quando como qual toca tocam tem têm há os um uma uns umas no na nos nas em ao
  do dos das ao com até desde festas show próximo próxima procuro
  custa custam tocou`,
);

/**
 * Last parts of compounds that name a genre and a kind of event: "Technoparty", "Techno-Partys", "House-Musik". In alphabetical
 * order.
 */
export const compoundEnds: readonly string[] =
  `abend abende club clubs concert concerts event events feest feesten gig gigs konzert konzerte musik muziek nacht nachten nachte nächte night nights
  parties party partys rave raves veranstaltung veranstaltungen`.split(/\s+/u);

/** Words that describe any event. They are not treated as names with a typo, even if they resemble one. */
export const commonEventWords = wordSet(
  `free cheap open late early big small large huge large tiny loud dark deep warm cool cold hot fresh real true super mega
  warehouse outdoor outdoors indoor indoors rooftop beach boat garden park forest street bar bars pub pubs hall venue venues
  festival festivals afterparty after-party afters afterhours opening closing release label labels artist artists producer
  producers band bands rapper group groups local locals underground mainstream commercial alternative queer gay lesbian lgbt
  women woman female male men kids family student students friends first second third last final special secret private
  public sold sale price prices cost costs entry entrance door doors age near nearby close closest cheap cheapest popular
  famous legendary favourite favorite biggest newest latest sets sound sounds tune tunes track tracks song songs album vinyl
  stage stages lights light sunset sunrise morning afternoon midnight noon summer winter spring autumn fall season holiday
  holidays birthday anniversary town city area country region district centre center north south east west central downtown
  electronic dance techno house trance disco minimal ambient hardcore industrial experimental bass garage jungle breaks
  table tables guestlist bottle ladies
  kostenlos umsonst gratis gratuit gratuite libre billig draußen strand boot garten heute morgen`,
);

/** Phrases for the user's own location, which is unknown to the server. "In der Nähe von Berlin" names a place. */
export const nearMe =
  /(?<!\p{L})(?:(?:near|around|close\s+to|next\s+to)\s+(?:me|us|here)|(?:around|in)\s+my\s+(?:area|city|town)|nearby|in\s+(?:meiner|unserer)\s+n(?:ä|ae|a)he|in\s+der\s+n(?:ä|ae)he(?:\s+von\s+(?:mir|uns|hier)|(?!\s+(?:von|vom|des|der|zu|zum)(?!\p{L})))|(?:près|pres)\s+(?:de\s+(?:chez\s+)?(?:moi|nous)|d['’]ici)|autour\s+de\s+(?:moi|nous)|à\s+proximité(?!\s+(?:de|du|des)(?!\p{L}))|cerca\s+de\s+(?:m[ií]|nosotros|aquí|aqui)|vicino\s+a\s+(?:me|noi)|perto\s+de\s+mim|bij\s+mij(?:\s+in\s+de\s+buurt)?)(?!\p{L})/iu;

/** Words that ask for the clubs of a place. */
export const clubWords = wordSet('clubs nightclubs venues locations clubes discotecas');
/** Words that ask for festivals. */
export const festivalWords = wordSet('festival festivals festivales festivais');
