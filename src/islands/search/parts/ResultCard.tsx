import { useStore } from '@nanostores/react'
import Film from 'lucide-react/icons/film'
import Play from 'lucide-react/icons/play'
import SignalHigh from 'lucide-react/icons/signal-high'
import SignalLow from 'lucide-react/icons/signal-low'
import SignalMedium from 'lucide-react/icons/signal-medium'
import { type MouseEvent, type RefObject, type SyntheticEvent, useState } from 'react'
import type { SearchMatch } from '../../../../contract/search/search-calls.ts'
import { getClip } from '../../../domain/events/event-recording.ts'
import { durationLabel, exactTimeLabel } from '../../../domain/time/date-formats.ts'
import { clipPositionLabel } from '../../../domain/copy/search-results.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { type PictureSize, SubjectBox } from './SubjectBox.tsx'
import { formatMatchHref, openSearchMatch } from '../../../stores/search/search-url.ts'

interface ResultCardProps {
  readonly match: SearchMatch
  readonly now: number
  readonly scroller: RefObject<HTMLElement | null>
  /** Button that shows or hides similar results. */
  readonly children?: React.ReactNode
}

/** Layout of a result. `isCompact`: short card of a long list. `hasStrength`: false if every clip of the time matches. */
export interface ResultLayout {
  readonly isCompact: boolean
  readonly hasStrength: boolean
}

/** One result: camera, time, relevance and match explanation. The whole card opens the clip at the matching second. */
export function ResultCard({
  match,
  now,
  scroller,
  layout: { isCompact, hasStrength },
  children,
}: ResultCardProps & { readonly layout: ResultLayout }) {
  const { event, strength, at_s, why } = match
  const camera = useStore($cameraNames).get(event.device_id) ?? event.title
  const hasClip = getClip(event) !== null
  return (
    <article className="search-result">
      <ResultThumbnail match={match}>
        {hasClip && (
          <span className="pill search-moment">
            <Play size={12} fill="currentColor" aria-hidden />
            {clipPositionLabel(at_s)}
          </span>
        )}
      </ResultThumbnail>
      <div className="search-said">
        <div className="search-where">
          <h3>
            <ResultLink match={match} scroller={scroller}>
              {camera}
            </ResultLink>
          </h3>
          {hasStrength && <StrengthBadge strength={strength} isShort={isCompact} />}
        </div>
        <p className="search-when">{exactTimeLabel(event.event_ts, now)}</p>
        {why.length > 0 && (
          <>
            {!isCompact && <p className="search-why">Why it matched</p>}
            <p>
              <HighlightedText parts={why} />
            </p>
          </>
        )}
        {children}
      </div>
    </article>
  )
}

interface NearMissCardProps extends ResultCardProps {
  /** Text over the thumbnail. */
  readonly badge?: string | undefined
  /** True if the heading above the card names the camera. */
  readonly isCameraHidden?: boolean | undefined
}

/** Short card of a near miss. The match explanation highlights the query terms that the event contains. */
export function NearMissCard({ match, now, scroller, badge, isCameraHidden = false }: NearMissCardProps) {
  const { event, why } = match
  const camera = useStore($cameraNames).get(event.device_id)
  const clip = getClip(event)
  const showsExplanation = why.some(({ hit }) => hit) && why.map(({ text }) => text).join('') !== event.title
  return (
    <article className="search-result search-close-one">
      <ResultThumbnail match={match}>
        {badge && <span className="pill search-moment">{badge}</span>}
        {clip && <span className="search-length">{durationLabel(clip.length)}</span>}
      </ResultThumbnail>
      <h3>
        <ResultLink match={match} scroller={scroller}>
          {event.title}
        </ResultLink>
      </h3>
      <p className="search-when">
        {camera && !isCameraHidden && `${camera} · `}
        {exactTimeLabel(event.event_ts, now)}
      </p>
      {showsExplanation && (
        <p className="search-has">
          <HighlightedText parts={why} />
        </p>
      )}
    </article>
  )
}

function HighlightedText({ parts }: { parts: SearchMatch['why'] }) {
  return <>{parts.map(({ text, hit }, i) => (hit ? <mark key={i}>{text}</mark> : text))}</>
}

function ResultLink({
  match,
  scroller,
  children,
}: Pick<ResultCardProps, 'match' | 'scroller'> & { readonly children: string }) {
  const open = (click: MouseEvent) => {
    if (click.metaKey || click.ctrlKey || click.shiftKey) return
    click.preventDefault()
    openSearchMatch(match, scroller.current?.scrollTop ?? 0)
  }
  return (
    <a href={formatMatchHref(match)} data-result={match.event.event_id} onClick={open}>
      {children}
    </a>
  )
}

const STRENGTH_BADGES = {
  strong: { word: 'Strong', kind: 'badge-success', Icon: SignalHigh },
  good: { word: 'Good', kind: 'badge-primary', Icon: SignalMedium },
  weak: { word: 'Weak', kind: '', Icon: SignalLow },
} as const

function StrengthBadge({ strength, isShort }: Pick<SearchMatch, 'strength'> & { readonly isShort: boolean }) {
  const { word, kind, Icon } = STRENGTH_BADGES[strength]
  return (
    <span className={`badge ${kind}`}>
      <Icon size={14} aria-hidden />
      {isShort ? word : `${word} match`}
    </span>
  )
}

type ThumbnailState = 'loading' | 'missing' | PictureSize

function ResultThumbnail({ match: { event, subject }, children }: { match: SearchMatch; children?: React.ReactNode }) {
  const [state, setState] = useState<ThumbnailState>('loading')
  const showLoaded = ({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) =>
    setState({ width: image.naturalWidth, height: image.naturalHeight })
  return (
    <div className="search-picture">
      {state === 'missing' ? (
        <Film size={28} aria-hidden />
      ) : (
        <img
          src={`/m/thumb/${event.event_id}`}
          alt=""
          width={640}
          height={360}
          loading="lazy"
          decoding="async"
          onLoad={subject && showLoaded}
          onError={() => setState('missing')}
        />
      )}
      {subject && typeof state === 'object' && <SubjectBox subject={subject} size={state} />}
      {children}
    </div>
  )
}
