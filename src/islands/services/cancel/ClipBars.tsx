import type { Leaving } from '../../../../contract/billing/cancellation.ts'
import { inClips, inFigures } from '../../../domain/copy/counts.ts'
import { barsNote, clipBars } from '../../../domain/copy/cancellation.ts'

interface Props {
  clips: Leaving['clips']
  /** Time when the plan stops keeping clips, ms UTC. */
  ends: number
  now: number
}

/** Bars for the numbers of clips kept, hidden and deleted over time, based on today's clips. */
export function Bars({ clips, ends, now }: Props) {
  return (
    <div>
      <ul className="leave-bars" aria-label="What becomes of your clips">
        {clipBars(clips, ends, now).map(({ when, days, kept: keptCount, share, rest, lost }) => (
          <li key={when}>
            <span>
              <b>{when}</b>
              <small>{days}</small>
            </span>
            <span className="leave-bar" data-rest={lost > 0 ? rest : ''} aria-hidden="true">
              <i style={{ width: `${share * 100}%` }} />
            </span>
            <span>
              <b>{inClips(keptCount)}</b>
              {rest !== '' && lost > 0 && (
                <small data-rest={rest}>
                  {inFigures(lost)} {rest}
                </small>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="leave-note">{barsNote(clips, ends, now)}</p>
    </div>
  )
}
