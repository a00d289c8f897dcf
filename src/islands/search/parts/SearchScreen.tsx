import { useStore } from '@nanostores/react'
import { type RefObject, useEffect } from 'react'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { loadKnownPeople } from '../../../stores/events/known-people.ts'
import { $search, syncSearchWithUrl } from '../../../stores/search/search.ts'
import { loadSearchHistory } from '../../../stores/search/search-history.ts'
import { loadRecommendations } from '../../../stores/search/search-suggestions.ts'
import { SearchResults } from './SearchResults.tsx'
import { QueryField } from './QueryField.tsx'
import { SearchFailure } from './SearchFailure.tsx'
import { SearchFeedback } from './SearchFeedback.tsx'
import { SearchFilters } from './SearchFilters.tsx'
import { SearchHistory } from './SearchHistory.tsx'
import { SearchSkeleton } from './SearchSkeleton.tsx'
import { SearchEmptyState } from './SearchEmptyState.tsx'

/** Field, filters and results, with the search history beside them. */
export function SearchScreen({ scroller }: { scroller: RefObject<HTMLElement | null> }) {
  const search = useStore($search)
  const { search: query } = useStore($eventUrl)
  useEffect(() => {
    void loadSearchHistory()
    void loadRecommendations()
    void loadKnownPeople()
    return syncSearchWithUrl()
  }, [])
  return (
    <div className="search-screen">
      <QueryField />
      <SearchFilters />
      <div className="search-main" tabIndex={-1}>
        {search.state === 'found' && <SearchResults key={search.query} search={search} scroller={scroller} />}
        {search.state === 'searching' && <SearchSkeleton />}
        {search.state === 'failed' && <SearchFailure failed={search} />}
        {search.state === 'idle' && (query ? <SearchSkeleton /> : <SearchEmptyState />)}
      </div>
      <aside className="search-aside">
        <SearchHistory />
        {search.state === 'found' && search.answer.events.length > 0 && (
          <SearchFeedback key={search.query} query={search.query} />
        )}
      </aside>
    </div>
  )
}
