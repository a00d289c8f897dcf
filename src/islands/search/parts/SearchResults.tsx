import { useStore } from '@nanostores/react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type RefObject, useEffect } from 'react'
import { formatMoreLikeThis } from '../../../domain/copy/event-groups.ts'
import { groupMatches, type MatchGroup } from '../../../domain/search/result-groups.ts'
import { foundCountLabel, showMoreLabel } from '../../../domain/copy/search-results.ts'
import { joinNotes, searchNotes } from '../../../domain/copy/search-notes.ts'
import { consumeOpenedMatch } from '../../../stores/search/search-url.ts'
import { $openGroupResultIds, toggleResultGroup } from '../../../stores/search/result-groups.ts'
import { $searchSettings, changeSearchSettings } from '../../../stores/search/search-settings.ts'
import { $videoSearchEvents, type FoundSearch } from '../../../stores/search/search.ts'
import { useNow } from '../../../ui/use-now.ts'
import { SearchCoverage } from './SearchCoverage.tsx'
import { NoResults } from './NoResults.tsx'
import { ResultCard } from './ResultCard.tsx'
import { SearchNotes } from './SearchNotes.tsx'
import { SortChoice } from './SortChoice.tsx'

/** Number of results shown initially, enough to fill one screen. A group of similar results counts as one. */
const INITIAL_RESULTS = 6

/** Matches of a search. Without a match, shows `NoResults` with the near misses. */
export function SearchResults({ search, scroller }: { search: FoundSearch; scroller: RefObject<HTMLElement | null> }) {
  const results = useStore($videoSearchEvents)
  const { showAll } = useStore($searchSettings)
  const now = useNow()
  useEffect(() => {
    const openedMatch = consumeOpenedMatch()
    scroller.current?.scrollTo({ top: openedMatch?.top ?? 0 })
    if (openedMatch) focusResult(scroller.current, openedMatch.eventId)
  }, [scroller])
  if (results.length === 0) return <NoResults search={search} scroller={scroller} />

  const groups = groupMatches(results)
  const visibleGroups = showAll ? groups : groups.slice(0, INITIAL_RESULTS)
  const { coverage, events, total, said: interpretation } = search.answer
  const notes = searchNotes(interpretation, true)
  const label = foundCountLabel(results.length, events.length, total)
  return (
    <>
      <p className="sr-only" role="status">
        {joinNotes(label, notes)}
      </p>
      <SearchNotes notes={notes} interpretation={interpretation} />
      <div className="search-report">
        <SearchCoverage coverage={coverage} span={search.asked} />
        <div className="search-order">
          <h2>{label}</h2>
          <SortChoice />
        </div>
      </div>
      <ul className="search-results" aria-label="Results">
        {visibleGroups.map((group) => (
          <ResultGroup key={group.match.event.event_id} group={group} now={now} scroller={scroller} />
        ))}
      </ul>
      {visibleGroups.length < groups.length && (
        <button
          type="button"
          className="btn btn-outline search-more"
          onClick={() => {
            changeSearchSettings({ showAll: true })
            requestAnimationFrame(() =>
              focusResult(scroller.current, groups[INITIAL_RESULTS]?.match.event.event_id ?? ''),
            )
          }}
        >
          {showMoreLabel(results.length, events.length, total)}
        </button>
      )}
    </>
  )
}

interface ResultGroupProps {
  readonly group: MatchGroup
  readonly now: number
  readonly scroller: RefObject<HTMLElement | null>
}

function ResultGroup({ group: { match, others }, now, scroller }: ResultGroupProps) {
  const id = match.event.event_id
  const isOpen = useStore($openGroupResultIds).has(id)
  return (
    <>
      <li>
        <ResultCard match={match} now={now} scroller={scroller}>
          {others.length > 0 && (
            <button
              type="button"
              className="fold-button search-fold"
              aria-expanded={isOpen}
              onClick={() => toggleResultGroup(id)}
            >
              {formatMoreLikeThis(others.length)}
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

function focusResult(scroller: HTMLElement | null, eventId: string): void {
  const link = scroller?.querySelector<HTMLElement>(`[data-result="${CSS.escape(eventId)}"]`)
  link?.focus({ preventScroll: true })
}
