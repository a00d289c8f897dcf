import { changeFilter } from '../../../stores/events/event-url.ts'
import { retrySearch, type SearchState } from '../../../stores/search/search.ts'
import { SearchMessage } from './SearchMessage.tsx'

export function SearchFailure({ failed }: { failed: Extract<SearchState, { state: 'failed' }> }) {
  return (
    <SearchMessage title="We couldn’t complete your search" text={failed.failure.text}>
      {failed.isTooLarge ? (
        <button type="button" className="btn btn-outline" onClick={() => changeFilter({ range: 14 })}>
          Search the last 14 days
        </button>
      ) : (
        <button type="button" className="btn btn-outline" onClick={retrySearch}>
          Try again
        </button>
      )}
    </SearchMessage>
  )
}
