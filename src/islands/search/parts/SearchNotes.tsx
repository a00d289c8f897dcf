import type { QueryInterpretation } from '../../../../contract/search/search-calls.ts'
import { asWrittenLabel, type SearchNote } from '../../../domain/copy/search-notes.ts'
import { searchAsWritten } from '../../../stores/search/search-url.ts'
import { focusMain } from './focus-main.ts'

/** Query interpretation above the results; a spelling correction can be undone. */
export function SearchNotes({
  notes,
  said: interpretation,
}: {
  notes: readonly SearchNote[]
  said: QueryInterpretation
}) {
  if (notes.length === 0) return null
  return (
    <ul className="search-notes" aria-label="About your question">
      {notes.map(({ about, text }) => (
        <li key={about}>
          <p>{text}</p>
          {about === 'instead' && (
            <button
              type="button"
              className="btn btn-sm btn-outline"
              onClick={(press) => {
                focusMain(press.currentTarget)
                searchAsWritten()
              }}
            >
              {asWrittenLabel(interpretation.instead)}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
