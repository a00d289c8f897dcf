import { useStore } from '@nanostores/react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { type RefObject, useEffect, useState } from 'react'
import { SEARCH_TOTAL_MAX } from '../../../../contract/search/search-calls.ts'
import { formatMoreLikeThis } from '../../../domain/copy/event-groups.ts'
import { areGroupsOpenAtFirst, groupMatches, type MatchGroup } from '../../../domain/search/result-groups.ts'
import { getEmptyTime } from '../../../domain/search/empty-time.ts'
import { foundCountLabel } from '../../../domain/copy/search-results.ts'
import { joinNotes, searchNotes } from '../../../domain/copy/search-notes.ts'
import { consumeOpenedMatch } from '../../../stores/search/search-url.ts'
import { $toggledGroupIds, toggleResultGroup } from '../../../stores/search/result-groups.ts'
import { $videoSearchEvents, type FoundSearch } from '../../../stores/search/search.ts'
import { useNow } from '../../../ui/use-now.ts'
import { LazyNoClipsAtTime } from './lazy-parts.ts'
import { SearchCoverage } from './SearchCoverage.tsx'
import { NoResults } from './NoResults.tsx'
import { ResultCard, type ResultLayout } from './ResultCard.tsx'
import { SearchNotes } from './SearchNotes.tsx'
import { ShowAllResults } from './ShowAllResults.tsx'
import { SortChoice } from './SortChoice.tsx'

/** Number of results from which the cards are compact. */
const COMPACT_MIN_RESULTS = 9

/** Matches of a search. Without a match, shows `NoResults` with the near misses. */
export function SearchResults({ search, scroller }: { search: FoundSearch; scroller: RefObject<HTMLElement | null> }) {
  const results = useStore($videoSearchEvents)
  useEffect(() => {
    const openedMatch = consumeOpenedMatch()
    scroller.current?.scrollTo({ top: openedMatch?.top ?? 0 })
    if (openedMatch) focusResult(scroller.current, openedMatch.eventId)
  }, [scroller])
  const emptyTime = getEmptyTime(search)
  if (emptyTime) return <LazyNoClipsAtTime props={{ search, empty: emptyTime, scroller }} />
  if (results.length === 0) return <NoResults search={search} scroller={scroller} />
  return <ResultList search={search} scroller={scroller} />
}

function ResultList({ search, scroller }: { search: FoundSearch; scroller: RefObject<HTMLElement | null> }) {
  const results = useStore($videoSearchEvents)
  const now = useNow()
  const groups = groupMatches(results)
  // Only the first results decide, so that a later page of results does not collapse the groups.
  const [areGroupsOpen] = useState(areGroupsOpenAtFirst(results.length))
  const { coverage, events, total, said: interpretation } = search.answer
  const notes = searchNotes(interpretation, true)
  // A capped total stays, because it does not count all matches.
  const hasAll = search.nextOffset === null && total < SEARCH_TOTAL_MAX
  const label = foundCountLabel(results.length, events.length, hasAll ? events.length : total)
  const layout = { isCompact: results.length >= COMPACT_MIN_RESULTS, hasStrength: !interpretation.scope_only }
  return (
    <>
      <p className="sr-only" role="status">
        {joinNotes(label, notes)}
      </p>
      <SearchNotes notes={notes} interpretation={interpretation} />
      <div className="search-report">
        <SearchCoverage coverage={coverage} span={search.asked} title={label} />
        <div className="search-order">
          <ShowAllResults search={search} />
          <SortChoice />
        </div>
      </div>
      <ul className={`search-results ${layout.isCompact ? 'search-compact' : ''}`} aria-label="Results">
        {groups.map((group) => (
          <ResultGroup
            key={group.match.event.event_id}
            group={group}
            isOpenAtFirst={areGroupsOpen}
            now={now}
            scroller={scroller}
            layout={layout}
          />
        ))}
      </ul>
    </>
  )
}

interface ResultGroupProps {
  readonly group: MatchGroup
  readonly isOpenAtFirst: boolean
  readonly now: number
  readonly scroller: RefObject<HTMLElement | null>
  readonly layout: ResultLayout
}

function ResultGroup({ group: { match, others }, isOpenAtFirst, now, scroller, layout }: ResultGroupProps) {
  const id = match.event.event_id
  const isOpen = useStore($toggledGroupIds).has(id) !== isOpenAtFirst
  return (
    <>
      <li>
        <ResultCard match={match} now={now} scroller={scroller} layout={layout}>
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
            <ResultCard match={other} now={now} scroller={scroller} layout={layout} />
          </li>
        ))}
    </>
  )
}

function focusResult(scroller: HTMLElement | null, eventId: string): void {
  const link = scroller?.querySelector<HTMLElement>(`[data-result="${CSS.escape(eventId)}"]`)
  link?.focus({ preventScroll: true })
}
