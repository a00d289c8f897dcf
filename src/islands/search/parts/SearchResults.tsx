import { useStore } from '@nanostores/react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type RefObject, useEffect } from 'react'
import { moreLikeThis } from '../../../domain/copy/event-groups.ts'
import { foldMatches, type MatchFold } from '../../../domain/search/result-groups.ts'
import { foundLabel, moreLabel } from '../../../domain/copy/search-results.ts'
import { inOneText, searchNotes } from '../../../domain/copy/search-notes.ts'
import { consumeOpenedMatch } from '../../../stores/search/search-url.ts'
import { $openedMatches, toggleMatchFold } from '../../../stores/search/result-groups.ts'
import { $searchSettings, changeSettings } from '../../../stores/search/search-settings.ts'
import { $videoSearchEvents, type FoundSearch } from '../../../stores/search/search.ts'
import { useNow } from '../../../ui/use-now.ts'
import { SearchCoverage } from './SearchCoverage.tsx'
import { NothingFound } from './NoResults.tsx'
import { ResultCard } from './ResultCard.tsx'
import { SearchNotes } from './SearchNotes.tsx'
import { SortChoice } from './SortChoice.tsx'

/** Number of results shown at first: one screen. Similar results count as one. */
const FIRST = 6

/** Matches of a search, or its near misses. */
export function SearchResults({ search, scroller }: { search: FoundSearch; scroller: RefObject<HTMLElement | null> }) {
  const results = useStore($videoSearchEvents)
  const { showAll } = useStore($searchSettings)
  const now = useNow()
  useEffect(() => {
    const left = consumeOpenedMatch()
    scroller.current?.scrollTo({ top: left?.top ?? 0 })
    if (left) focusResult(scroller.current, left.eventId)
  }, [scroller])
  if (results.length === 0) return <NothingFound search={search} scroller={scroller} />

  const folds = foldMatches(results)
  const visibleFolds = showAll ? folds : folds.slice(0, FIRST)
  const { coverage, events, total, said: interpretation } = search.answer
  const notes = searchNotes(interpretation, true)
  const label = foundLabel(results.length, events.length, total)
  return (
    <>
      <p className="sr-only" role="status">
        {inOneText(label, notes)}
      </p>
      <SearchNotes notes={notes} said={interpretation} />
      <div className="search-report">
        <SearchCoverage coverage={coverage} span={search.asked} />
        <div className="search-order">
          <h2>{label}</h2>
          <SortChoice />
        </div>
      </div>
      <ul className="search-results" aria-label="Results">
        {visibleFolds.map((fold) => (
          <FoldedResult key={fold.match.event.event_id} fold={fold} now={now} scroller={scroller} />
        ))}
      </ul>
      {visibleFolds.length < folds.length && (
        <button
          type="button"
          className="btn btn-outline search-more"
          onClick={() => {
            changeSettings({ showAll: true })
            requestAnimationFrame(() => focusResult(scroller.current, folds[FIRST]?.match.event.event_id ?? ''))
          }}
        >
          {moreLabel(results.length, events.length, total)}
        </button>
      )}
    </>
  )
}

interface FoldedResultProps {
  readonly fold: MatchFold
  readonly now: number
  readonly scroller: RefObject<HTMLElement | null>
}

/** One result. Similar results follow it while they are expanded. */
function FoldedResult({ fold: { match, others }, now, scroller }: FoldedResultProps) {
  const id = match.event.event_id
  const isOpen = useStore($openedMatches).has(id)
  return (
    <>
      <li>
        <ResultCard match={match} now={now} scroller={scroller}>
          {others.length > 0 && (
            <button
              type="button"
              className="fold-button search-fold"
              aria-expanded={isOpen}
              onClick={() => toggleMatchFold(id)}
            >
              {moreLikeThis(others.length)}
              <ChevronDown size={14} aria-hidden />
            </button>
          )}
        </ResultCard>
      </li>
      {isOpen &&
        others.map((other) => (
          <li key={other.event.event_id}>
            <ResultCard match={other} now={now} scroller={scroller} />
          </li>
        ))}
    </>
  )
}

/** Focuses the link of a result. */
function focusResult(scroller: HTMLElement | null, eventId: string): void {
  const link = scroller?.querySelector<HTMLElement>(`[data-result="${CSS.escape(eventId)}"]`)
  link?.focus({ preventScroll: true })
}
