import { useStore } from '@nanostores/react'
import type { RefObject } from 'react'
import { DEFAULT_FILTER } from '../../../../domain/event-address.ts'
import { isNarrowing } from '../../../../domain/event-filter.ts'
import { daysPhrase, lookedThrough } from '../../../../domain/search-labels.ts'
import { widerDays } from '../../../../domain/search-range.ts'
import { $address, changeFilter } from '../../../../stores/events/event-address.ts'
import { useNow } from '../use-now.ts'
import { Coverage } from './Coverage.tsx'
import type { FoundSearch } from './Found.tsx'
import { CloseCard } from './ResultCard.tsx'

const CLOSEST_MAX = 4

/** Nothing was found: what was looked through, what widens the search, and what came closest. */
export function NothingFound({ search, scroller }: { search: FoundSearch; scroller: RefObject<HTMLElement | null> }) {
  const { filter } = useStore($address)
  const now = useNow()
  const { closest, coverage } = search.answer
  const title = `Nothing found for “${search.query}” ${daysPhrase(filter.range)}`
  return (
    <>
      <div className="search-middle search-none">
        <h2>{title}</h2>
        <p>{lookedThrough(coverage)}</p>
        <div className="search-actions">
          <Wider keptSince={coverage.kept_since} now={now} />
        </div>
      </div>
      <p className="sr-only" role="status">
        {title}
      </p>
      {closest.length > 0 && (
        <section aria-labelledby="search-closest">
          <h2 id="search-closest" className="search-subtitle">
            Closest we found <span>not close enough to be a match</span>
          </h2>
          <ul className="search-closest">
            {closest.slice(0, CLOSEST_MAX).map((match) => (
              <li key={match.event.event_id}>
                <CloseCard match={match} now={now} scroller={scroller} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="search-report">
        <Coverage coverage={coverage} asked={search.asked} />
      </div>
    </>
  )
}

/** The one thing that lets the search see more. */
function Wider({ keptSince, now }: { keptSince: number; now: number }) {
  const { filter } = useStore($address)
  const wider = widerDays(filter.range, keptSince, now)
  const [words, change] = filter.cameras.length
    ? ['Search all cameras', { cameras: [] }]
    : isNarrowing(filter)
      ? ['Search everything that happened', { ...DEFAULT_FILTER, range: filter.range }]
      : wider
        ? [`Search ${wider.range === 14 ? 'the last' : 'all'} ${wider.days} days`, { range: wider.range }]
        : ['', {}]
  if (!words) return <p className="search-fine">Try fewer words, or others for the same thing.</p>
  return (
    <button type="button" className="btn btn-primary" onClick={() => changeFilter(change)}>
      {words}
    </button>
  )
}
