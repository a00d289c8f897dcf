import type { QueryInterpretation } from '../../../../contract/search/search-calls.ts'
import { searchAsWrittenLabel, type SearchNote } from '../../../domain/copy/search-notes.ts'
import { searchWithoutCorrection } from '../../../stores/search/search-url.ts'
import { focusMain } from './focus-main.ts'

/** Notes above the results about how the query was interpreted. The user can undo a spelling correction. */
export function SearchNotes({
  notes,
  interpretation,
}: {
  notes: readonly SearchNote[]
  interpretation: QueryInterpretation
}) {
  if (notes.length === 0) return null
  return (
    <ul className="search-notes" aria-label="About your search">
      {notes.map(({ about, text }) => (
        <li key={about}>
          <p>{text}</p>
          {about === 'instead' && (
            <button
              type="button"
              className="btn btn-sm btn-outline"
              onClick={(press) => {
                focusMain(press.currentTarget)
                searchWithoutCorrection()
              }}
            >
              {searchAsWrittenLabel(interpretation.instead)}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
