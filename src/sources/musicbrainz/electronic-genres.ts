/** Decides which genres and tags of MusicBrainz are electronic music, by the words of their names. */
import { fold } from '../../text/fold.ts';

/** A name with one of these words is electronic ("minimal techno", "deep house"). */
const electronicWords =
  'techno|house|trance|psytrance|psybient|electronic|electronica|electro|edm|idm|ambient|drum and bass|drum & bass|drum n bass|dnb|d&b|neurofunk|dubstep|brostep|riddim dubstep|breakbeat|breakcore|big beat|downtempo|trip hop|trip-hop|hardstyle|jumpstyle|gabber|gabba|speedcore|frenchcore|terrorcore|happy hardcore|hardcore techno|uk hardcore|makina|rave|uk garage|speed garage|future garage|2-step|uk funky|uk bass|bass music|bassline|grime|footwork|juke|synthwave|retrowave|vaporwave|chillwave|chillout|chillstep|synthpop|synth-pop|electropop|eurodance|eurobeat|italo-disco|italo disco|nu disco|nu-disco|space disco|cosmic disco|hi-nrg|ebm|electronic body music|aggrotech|futurepop|power noise|rhythmic noise|glitch|glitch hop|wonky|microsound|moombahton|amapiano|gqom|baltimore club|jersey club|deconstructed club|witch house|balearic|goa|new beat|acid breaks|nu skool breaks|progressive breaks|florida breaks|illbient|darkstep|liquid funk|techstep|jungle|chiptune|bitpop|hyperpop|future bass|trap edm|wave|electroclash|tech trance|nu rave|new rave|berlin school|dance music|club music|moogsploitation|leftfield|donk|lento violento|schranz|folktronica|livetronica|indietronica|plunderphonics|electroacoustic dance|dub techno';
const electronicPattern = new RegExp(`(?:^|[^\\p{L}\\p{N}])(?:${electronicWords})(?=$|[^\\p{L}\\p{N}])`, 'u');
/** Names that contain such words but are not electronic. */
const exceptions =
  /^(?:new wave|no wave|cold ?wave|dark ?wave|heavy wave|ethereal wave|wave music|jungle pop|house of .*|housewife.*|electro ?acoustic.*|ambient (?:pop|folk|metal|black metal|americana)|progressive electro ?acoustic|heartland .*|glitch art|in house|opera house|rave review.*)$/;
/** Names that are electronic only as a whole. */
const electronicNames = new Set([
  'dance',
  'electronic dance',
  'breaks',
  'club',
  'bleep',
  'hard dance',
  'hands up',
  'minimal wave',
  'minimal synth',
  'bass',
  'halftime',
  'drumstep',
  'complextro',
  'acid',
]);

/** Whether a genre or tag is electronic music. */
export function isElectronic(name: string): boolean {
  const folded = fold(name).trim();
  return electronicNames.has(folded) || (electronicPattern.test(folded) && !exceptions.test(folded));
}
