import { useStore } from '@nanostores/react'
import type { RefObject } from 'react'
import { DEFAULT_FILTER } from '../../../domain/events/event-url.ts'
import { type EventFilter, isNarrowing } from '../../../domain/events/event-filter.ts'
import { daysPhrase } from '../../../domain/copy/search-results.ts'
import { widerDays } from '../../../domain/search/offered-ranges.ts'
import { closestNote, inOneText, isLookedFor, lookedThrough, searchNotes } from '../../../domain/copy/search-notes.ts'
import { isCut, namesDays } from '../../../domain/search/query-time.ts'
import { $address, changeFilter } from '../../../stores/events/event-url.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import type { FoundSearch } from '../../../stores/search/search.ts'
import { useNow } from '../../../ui/use-now.ts'
import { SearchCoverage } from './SearchCoverage.tsx'
import { focusMain } from './focus-main.ts'
import { CloseCard } from './ResultCard.tsx'
import { SearchNotes } from './SearchNotes.tsx'

const CLOSEST_MAX = 4

/** Shown if nothing matches: the search coverage, a button that widens the search, and the near misses. */
export function NothingFound({ search, scroller }: { search: FoundSearch; scroller: RefObject<HTMLElement | null> }) {
  const { filter } = useStore($address)
  const now = useNow()
  const { closest, coverage, said: interpretation } = search.answer
  const title = `Nothing found for “${search.query}”${namesDays(search.time) ? '' : ` ${daysPhrase(filter.range)}`}`
  const notes = searchNotes(interpretation, false)
  const why = lookedThrough(interpretation, coverage, closest.length > 0)
  const isSearched = isLookedFor(interpretation, closest.length > 0)
  return (
    <>
      <SearchNotes notes={notes} said={interpretation} />
      <div className="search-middle search-none">
        <h2>{title}</h2>
        <p>{why}</p>
        {isSearched && (
          <div className="search-actions">
            <Wider search={search} now={now} />
          </div>
        )}
        {interpretation.places.length > 0 && (
          <div className="search-actions">
            <a className="btn btn-outline" href="/live">
              Go to the cameras
            </a>
          </div>
        )}
      </div>
      <p className="sr-only" role="status">
        {inOneText(title, [...notes, { text: why }])}
      </p>
      {closest.length > 0 && (
        <section aria-labelledby="search-closest">
          <h2 id="search-closest" className="search-subtitle">
            Closest we found <span>{closestNote(interpretation)}</span>
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
      {isSearched && (
        <div className="search-report">
          <SearchCoverage coverage={coverage} span={search.asked} />
        </div>
      )}
    </>
  )
}

/** Button with the one action that widens the search. If there is none, a tip for another query. */
function Wider({ search, now }: { search: FoundSearch; now: number }) {
  const { filter } = useStore($address)
  const [words, act] = wider(search, filter, now) ?? []
  if (!act) return <p className="search-fine">Try fewer words, or others for the same thing.</p>
  return (
    <button
      type="button"
      className="btn btn-primary"
      onClick={(press) => {
        focusMain(press.currentTarget)
        act()
      }}
    >
      {words}
    </button>
  )
}

/** Returns the label and the action of the button that widens the search; null if the search cannot be widened. */
function wider({ time, answer }: FoundSearch, filter: EventFilter, now: number): readonly [string, () => void] | null {
  const { range } = filter
  if (filter.cameras.length > 0) return ['Search all cameras', () => changeFilter({ cameras: [] })]
  if (isNarrowing(filter)) return ['Search everything that happened', () => changeFilter({ ...DEFAULT_FILTER, range })]
  if (isCut(range, time, now))
    return ['Search without the chosen days', () => changeFilter({ range: DEFAULT_FILTER.range })]
  if (time) return time.rest === '' ? null : ['Search without the time', () => submitQuery(time.rest)]
  const days = widerDays(range, answer.coverage.kept_since, now)
  if (!days) return null
  const words = `Search ${days.range === 14 ? 'the last' : 'all'} ${days.days} days`
  return [words, () => changeFilter({ range: days.range })]
}
