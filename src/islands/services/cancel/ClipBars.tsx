import type { CancellationPreview } from '../../../../contract/billing/cancellation.ts'
import { formatClipCount, formatNumber } from '../../../domain/copy/counts.ts'
import { clipBarsNote, clipBars } from '../../../domain/copy/cancellation.ts'

interface ClipBarsProps {
  clips: CancellationPreview['clips']
  /** Time when the plan ends, ms UTC. */
  endsAt: number
  now: number
}

/** Bar chart of the numbers of clips kept, hidden and deleted over time, based on today's clips. */
export function ClipBars({ clips, endsAt, now }: ClipBarsProps) {
  if (clips.shown === 0) return null
  return (
    <div>
      <ul className="leave-bars" aria-label="What happens to your clips">
        {clipBars(clips, endsAt, now).map(({ when, days, kept: keptCount, share, rest, lost }) => (
          <li key={when}>
            <span>
              <b>{when}</b>
              <small>{days}</small>
            </span>
            <span className="leave-bar" data-rest={lost > 0 ? rest : ''} aria-hidden="true">
              <i style={{ width: `${share * 100}%` }} />
            </span>
            <span>
              <b>{formatClipCount(keptCount)}</b>
              {rest !== '' && lost > 0 && (
                <small data-rest={rest}>
                  {formatNumber(lost)} {rest}
                </small>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="leave-note">{clipBarsNote(clips, endsAt, now)}</p>
    </div>
  )
}
