import { useStore } from '@nanostores/react'
import Sparkles from 'lucide-react/icons/sparkles'
import X from 'lucide-react/icons/x'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { SEARCH_QUERY_MAX_CHARS } from '../../../../contract/wire/constants.ts'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { retrySearch } from '../../../stores/search/search.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import { $searchSettings } from '../../../stores/search/search-settings.ts'
import { $suggestions, clearSuggestions, updateSuggestions } from '../../../stores/search/search-suggestions.ts'

/** Query field. Suggestions follow the typed text; the search runs only for a submitted query. */
export function QueryField() {
  const currentQuery = useStore($eventUrl).search ?? ''
  const [text, setText] = useState(currentQuery || $searchSettings.get().query)
  const [syncedQuery, setSyncedQuery] = useState(currentQuery)
  const field = useRef<HTMLInputElement>(null)
  const suggestions = useStore($suggestions)
  const [active, setActive] = useState(-1)
  // Shows the new query after Back, Forward or another part of the page has changed it.
  if (syncedQuery !== currentQuery) {
    setSyncedQuery(currentQuery)
    setText(currentQuery || $searchSettings.get().query)
  }
  useEffect(() => {
    // Selects the query of the last visit, so that typing replaces it.
    if (!currentQuery) {
      field.current?.focus()
      field.current?.select()
    }
    return clearSuggestions
    // Runs only when the search opens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  function updateText(next: string): void {
    setText(next)
    setActive(-1)
    updateSuggestions(next)
  }
  function runSearch(typedText: string): void {
    const query = typedText.trim()
    if (query === '') return field.current?.focus()
    setText(query)
    setActive(-1)
    clearSuggestions()
    if (query === currentQuery) retrySearch()
    else submitQuery(query)
  }
  function onKeyDown(key: KeyboardEvent): void {
    if (suggestions.length === 0) return
    if (key.key === 'Escape') clearSuggestions()
    else if (key.key === 'ArrowDown') setActive((active + 1) % suggestions.length)
    else if (key.key === 'ArrowUp') setActive((active <= 0 ? suggestions.length : active) - 1)
    else return
    key.preventDefault()
  }
  function onSubmit(submit: FormEvent): void {
    submit.preventDefault()
    runSearch(suggestions[active] ?? text)
  }

  return (
    <form role="search" className="search-form" onSubmit={onSubmit}>
      <div className="search-field">
        <Sparkles size={22} aria-hidden />
        <input
          ref={field}
          type="text"
          role="combobox"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={SEARCH_QUERY_MAX_CHARS}
          aria-label="Describe what happened"
          placeholder="Describe what happened"
          aria-expanded={suggestions.length > 0}
          aria-controls="search-suggestions"
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : `suggestion-${active}`}
          value={text}
          onChange={(change) => updateText(change.target.value)}
          onKeyDown={onKeyDown}
          onBlur={clearSuggestions}
        />
        {text !== '' && (
          <button
            type="button"
            className="icon-btn"
            aria-label="Clear search"
            onClick={() => {
              updateText('')
              field.current?.focus()
            }}
          >
            <X size={20} aria-hidden />
          </button>
        )}
        <button type="submit" className="btn btn-primary">
          Search
        </button>
      </div>
      <ul id="search-suggestions" role="listbox" aria-label="Suggestions" hidden={suggestions.length === 0}>
        {suggestions.map((words, i) => (
          <li
            key={words}
            id={`suggestion-${i}`}
            role="option"
            aria-selected={i === active}
            // Prevents the field from losing the focus on a press, because that would close the suggestions.
            onPointerDown={(press) => press.preventDefault()}
            onClick={() => runSearch(words)}
          >
            {words}
          </li>
        ))}
      </ul>
    </form>
  )
}
