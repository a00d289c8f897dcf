import { useStore } from '@nanostores/react'
import History from 'lucide-react/icons/history'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { HistoryEntry } from '../../../../contract/search/search-calls.ts'
import { sinceLabel, totalLabel } from '../../../domain/copy/search-results.ts'
import { $address } from '../../../stores/events/event-url.ts'
import { retrySearch } from '../../../stores/search/search.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import {
  $historyState,
  $videoSearchHistory,
  clearHistory,
  deleteSearches,
  loadHistory,
} from '../../../stores/search/search-history.ts'
import { toggled } from '../../../ui/CheckRow.tsx'
import { useNow } from '../../../ui/use-now.ts'

type Mode = 'list' | 'choosing' | 'clearing'

/** Search history: a click repeats a query; entries can be deleted one by one, several or all together. */
export function SearchHistory() {
  const history = useStore($videoSearchHistory)
  const loaded = useStore($historyState)
  const [mode, setMode] = useState<Mode>('list')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const leave = () => {
    setMode('list')
    setChosen([])
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
              Clear all
            </button>
          </>
        )}
      </div>
      {mode === 'choosing' && (
        <div className="search-question" role="group" aria-label="Delete searches">
          <button
            type="button"
            className="btn btn-xs btn-danger"
            disabled={chosen.length === 0}
            onClick={() => {
              void deleteSearches(chosen)
              leave()
            }}
          >
            Delete {chosen.length}
          </button>
          <button type="button" className="btn btn-xs btn-outline" onClick={leave}>
            Cancel
          </button>
        </div>
      )}
      {mode === 'clearing' && (
        <div className="search-question" role="group" aria-label="Delete all searches">
          <p>Delete all your searches? They cannot be brought back. Your clips stay.</p>
          <button type="button" className="btn btn-xs btn-outline" autoFocus onClick={leave}>
            Keep them
          </button>
          <button
            type="button"
            className="btn btn-xs btn-danger"
            onClick={() => {
              void clearHistory()
              leave()
            }}
          >
            Delete all
          </button>
        </div>
      )}
      {loaded.state === 'failed' && (
        <p className="search-fine" role="alert">
          {loaded.failure.text}{' '}
          <button type="button" className="link" onClick={() => void loadHistory()}>
            Try again
          </button>
        </p>
      )}
      {loaded.state === 'ready' && history.length === 0 && (
        <p className="search-fine">What you search for is listed here.</p>
      )}
      <ul>
        {history.map((entry) => (
          <li key={entry.query_id}>
            <Entry
              entry={entry}
              isChosen={mode === 'choosing' ? chosen.includes(entry.query_id) : null}
              onChoose={() => setChosen(toggled(chosen, entry.query_id))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface EntryProps {
  readonly entry: HistoryEntry
  /** True if the entry is selected; null outside selection mode. */
  readonly isChosen: boolean | null
  readonly onChoose: () => void
}

function Entry({ entry: { query_id, query, at, found }, isChosen, onChoose }: EntryProps) {
  const currentQuery = useStore($address).search
  const note = `${found === 0 ? 'none' : `${totalLabel(found)} found`} · ${sinceLabel(at, useNow())}`
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
