import { useStore } from '@nanostores/react'
import History from 'lucide-react/icons/history'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { HistoryEntry } from '../../../../contract/search/search-calls.ts'
import { searchTimeLabel, formatMatchCount } from '../../../domain/copy/search-results.ts'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { retrySearch } from '../../../stores/search/search.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import {
  $searchHistoryState,
  $videoSearchHistory,
  clearSearchHistory,
  deleteSearches,
  loadSearchHistory,
} from '../../../stores/search/search-history.ts'
import { toggleItem } from '../../../domain/toggle-item.ts'
import { useNow } from '../../../ui/use-now.ts'

type HistoryMode = 'list' | 'choosing' | 'clearing'

/** Search history: a click repeats a query; entries can be deleted one by one, several or all together. */
export function SearchHistory() {
  const history = useStore($videoSearchHistory)
  const historyState = useStore($searchHistoryState)
  const [mode, setMode] = useState<HistoryMode>('list')
  const [chosenIds, setChosenIds] = useState<readonly string[]>([])
  const exitMode = () => {
    setMode('list')
    setChosenIds([])
  }
  return (
    <section className="search-history" aria-labelledby="search-history">
      <div className="search-history-head">
        <h2 id="search-history">Your searches</h2>
        {mode === 'list' && history.length > 0 && (
          <>
            {history.length > 1 && (
              <button type="button" className="btn btn-xs" onClick={() => setMode('choosing')}>
                Select
              </button>
            )}
            <button type="button" className="btn btn-xs" onClick={() => setMode('clearing')}>
              Delete all
            </button>
          </>
        )}
      </div>
      {mode === 'choosing' && (
        <div className="search-question" role="group" aria-label="Delete searches">
          <button
            type="button"
            className="btn btn-xs btn-danger"
            disabled={chosenIds.length === 0}
            onClick={() => {
              void deleteSearches(chosenIds)
              exitMode()
            }}
          >
            Delete {chosenIds.length}
          </button>
          <button type="button" className="btn btn-xs btn-outline" onClick={exitMode}>
            Cancel
          </button>
        </div>
      )}
      {mode === 'clearing' && (
        <div className="search-question" role="group" aria-label="Delete all searches">
          <p>Delete all your searches? This can’t be undone. Your clips won’t be deleted.</p>
          <button type="button" className="btn btn-xs btn-outline" autoFocus onClick={exitMode}>
            Keep
          </button>
          <button
            type="button"
            className="btn btn-xs btn-danger"
            onClick={() => {
              void clearSearchHistory()
              exitMode()
            }}
          >
            Delete all
          </button>
        </div>
      )}
      {historyState.state === 'failed' && (
        <p className="search-fine" role="alert">
          {historyState.failure.text}{' '}
          <button type="button" className="link" onClick={() => void loadSearchHistory()}>
            Try again
          </button>
        </p>
      )}
      {historyState.state === 'ready' && history.length === 0 && (
        <p className="search-fine">Your searches will appear here.</p>
      )}
      <ul>
        {history.map((entry) => (
          <li key={entry.query_id}>
            <HistoryRow
              entry={entry}
              isChosen={mode === 'choosing' ? chosenIds.includes(entry.query_id) : null}
              onChoose={() => setChosenIds(toggleItem(chosenIds, entry.query_id))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface HistoryRowProps {
  readonly entry: HistoryEntry
  /** True if the entry is selected; null outside selection mode. */
  readonly isChosen: boolean | null
  readonly onChoose: () => void
}

function HistoryRow({ entry: { query_id, query, at, found }, isChosen, onChoose }: HistoryRowProps) {
  const currentQuery = useStore($eventUrl).search
  const note = `${found === 0 ? 'no clips' : formatMatchCount(found)} · ${searchTimeLabel(at, useNow())}`
  if (isChosen !== null)
    return (
      <label className="search-entry-row">
        <input type="checkbox" className="accent-primary size-[18px]" checked={isChosen} onChange={onChoose} />
        <span>
          {query} <small>{note}</small>
        </span>
      </label>
    )
  return (
    <div className="search-entry-row" data-current={currentQuery === query || undefined}>
      <button type="button" onClick={() => (currentQuery === query ? retrySearch() : submitQuery(query))}>
        <History size={18} aria-hidden />
        <span>
          {query} <small>{note}</small>
        </span>
      </button>
      <button
        type="button"
        className="icon-btn"
        aria-label={`Delete “${query}”`}
        title="Delete"
        onClick={() => void deleteSearches([query_id])}
      >
        <X size={18} aria-hidden />
      </button>
    </div>
  )
}
