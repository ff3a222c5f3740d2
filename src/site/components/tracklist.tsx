/** The tracklist of an episode. Its times link into the audio. */
import { Fragment, type VNode } from 'preact';
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import { type PageContext, recordPath } from '../page-context.ts';
import { durationText } from './dates.tsx';
import { InlineLinks } from './parts.tsx';

const maxTracks = 200;

/** The tracks in order, with the positions that no source names. */
export function TrackList({
  context,
  tracks,
  audio,
}: {
  context: PageContext;
  tracks: readonly ApiRecord<'Track'>[];
  /** The address of the audio, which the times link into; null without one. */
  audio: string | null;
}): VNode {
  return (
    <>
      <ol class="tracks">
        {tracks.slice(0, maxTracks).map((track, index) => (
          <Fragment key={track.position}>
            <MissingTracks from={(tracks[index - 1]?.position ?? 0) + 1} to={track.position - 1} />
            <li key={track.position}>
              <span class="at">
                <TrackStart track={track} audio={audio} />
              </span>
              <span>
                <TrackText context={context} track={track} />
              </span>
            </li>
          </Fragment>
        ))}
      </ol>
      {tracks.length > maxTracks && (
        <p class="soft">{context.messages.common.andCountMore(tracks.length - maxTracks)}</p>
      )}
    </>
  );
}

/** The time of a track, as a link into the audio: a media fragment, which the script of the page turns into a jump. */
function TrackStart({ track, audio }: { track: ApiRecord<'Track'>; audio: string | null }): VNode {
  const { media } = useMessages();
  const { start_seconds: start, position } = track;
  if (start === null) return <>{position}</>;
  const time = durationText(start);
  if (audio === null) return <>{time}</>;
  return (
    <a
      href={`${audio.split('#', 1)[0]}#t=${start}`}
      data-from={start}
      rel="nofollow noopener"
      aria-label={media.playFrom(time)}
    >
      {time}
    </a>
  );
}

/** An entry for positions of the tracklist that no source names. */
function MissingTracks({ from, to }: { from: number; to: number }): VNode | null {
  const { episode } = useMessages();
  if (to < from) return null;
  return (
    <li class="soft">
      <span class="at">{from === to ? from : `${from}–${to}`}</span>
      <span>{episode.missingTracks(to - from + 1)}</span>
    </li>
  );
}

/** The artist as written in the tracklist, linked if it is one artist of the catalogue. */
function TrackText({ context, track }: { context: PageContext; track: ApiRecord<'Track'> }): VNode {
  const [only, ...others] = track.artists as [RecordRef?, ...RecordRef[]];
  const linked = only !== undefined && others.length === 0;
  const label = track.label?.name ?? track.label_name;
  return (
    <>
      {linked ? (
        <a href={recordPath(context, 'artist', only.slug)}>{track.artist_name ?? only.name}</a>
      ) : track.artists.length > 0 ? (
        <InlineLinks context={context} kind="artist" refs={track.artists} />
      ) : (
        (track.artist_name ?? 'ID')
      )}
      {' – '}
      {track.title ?? 'ID'}
      {label && (
        <span class="soft small">
          {' '}
          {track.label ? <a href={recordPath(context, 'label', track.label.slug)}>{label}</a> : label}
        </span>
      )}
    </>
  );
}
