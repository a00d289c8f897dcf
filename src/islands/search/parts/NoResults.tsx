import { useStore } from '@nanostores/react'
import type { RefObject } from 'react'
import { DEFAULT_FILTER } from '../../../domain/events/event-url.ts'
import { type EventFilter, hasActiveFilter } from '../../../domain/events/event-filter.ts'
import { daysPhrase, hasCoverageGaps } from '../../../domain/copy/search-results.ts'
import { findWiderRange } from '../../../domain/search/offered-ranges.ts'
import { nearMissNote, joinNotes, wasSearched, noMatchText, searchNotes } from '../../../domain/copy/search-notes.ts'
import { excludesNamedTime, hasNamedDays } from '../../../domain/search/query-time.ts'
import { $eventUrl, changeFilter } from '../../../stores/events/event-url.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import type { FoundSearch } from '../../../stores/search/search.ts'
import { useNow } from '../../../ui/use-now.ts'
import { SearchCoverage } from './SearchCoverage.tsx'
import { focusMain } from './focus-main.ts'
import { Lamp } from './Lamp.tsx'
import { NearMissCard } from './ResultCard.tsx'
import { SearchNotes } from './SearchNotes.tsx'

const MAX_NEAR_MISSES = 4

/** Shown if nothing matches: the search coverage, a button that widens the search, and the near misses. */
export function NoResults({ search, scroller }: { search: FoundSearch; scroller: RefObject<HTMLElement | null> }) {
  const { filter } = useStore($eventUrl)
  const now = useNow()
  const { closest, coverage, said: interpretation } = search.answer
  const title = `No clips found for “${search.query}”${hasNamedDays(search.time) ? '' : ` ${daysPhrase(filter.range)}`}`
  const notes = searchNotes(interpretation, false)
  const explanation = noMatchText(interpretation, coverage, closest.length > 0)
  const wasTermSearched = wasSearched(interpretation, closest.length > 0)
  return (
    <>
      <SearchNotes notes={notes} interpretation={interpretation} />
      <div className="search-middle search-none">
        <Lamp size={56} />
        <h2>{title}</h2>
        <p>{explanation}</p>
        {wasTermSearched && (
          <div className="search-actions">
            <WidenSearchButton search={search} now={now} />
          </div>
        )}
        {interpretation.places.length > 0 && (
          <div className="search-actions">
            <a className="btn btn-outline" href="/live">
              Go to Cameras
            </a>
          </div>
        )}
      </div>
      <p className="sr-only" role="status">
        {joinNotes(title, [...notes, { text: explanation }])}
      </p>
      {closest.length > 0 && (
        <section aria-labelledby="search-closest">
          <h2 id="search-closest" className="search-subtitle">
            Closest matches <span>{nearMissNote(interpretation)}</span>
          </h2>
          <ul className="search-closest">
            {closest.slice(0, MAX_NEAR_MISSES).map((match) => (
              <li key={match.event.event_id}>
                <NearMissCard match={match} now={now} scroller={scroller} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {wasTermSearched && hasCoverageGaps(coverage, search.asked) && (
        <div className="search-report">
          <SearchCoverage coverage={coverage} span={search.asked} />
        </div>
      )}
    </>
  )
}

function WidenSearchButton({ search, now }: { search: FoundSearch; now: number }) {
  const { filter } = useStore($eventUrl)
  const [label, action] = findWiderSearch(search, filter, now) ?? []
  if (!action) return <p className="search-fine">Try fewer or different words.</p>
  return (
    <button
      type="button"
      className="btn btn-primary"
      onClick={(press) => {
        focusMain(press.currentTarget)
        action()
      }}
    >
      {label}
    </button>
  )
}

/** Returns the label and the action of the button that widens the search; null if the search cannot be widened. */
function findWiderSearch(
  { time, answer }: FoundSearch,
  filter: EventFilter,
  now: number,
): readonly [string, () => void] | null {
  const { range } = filter
  if (filter.cameras.length > 0) return ['Search all cameras', () => changeFilter({ cameras: [] })]
  if (hasActiveFilter(filter)) return ['Search without filters', () => changeFilter({ ...DEFAULT_FILTER, range })]
  if (excludesNamedTime(range, time, now))
    return ['Search without the date filter', () => changeFilter({ range: DEFAULT_FILTER.range })]
  if (time) return time.rest === '' ? null : ['Search all dates', () => submitQuery(time.rest)]
  const days = findWiderRange(range, answer.coverage.kept_since, now)
  if (!days) return null
  const label = `Search ${days.range === 14 ? 'the last' : 'all'} ${days.days} days`
  return [label, () => changeFilter({ range: days.range })]
}
