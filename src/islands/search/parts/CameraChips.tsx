import { useStore } from '@nanostores/react'
import Cctv from 'lucide-react/icons/cctv'
import X from 'lucide-react/icons/x'
import { removePhrase } from '../../../domain/search/remove-phrase.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { $search } from '../../../stores/search/search.ts'
import { submitQuery } from '../../../stores/search/search-url.ts'
import { focusMain } from './focus-main.ts'

/** Chips with the cameras that the query names. Removing a chip searches for the rest of the query. */
export function CameraChips() {
  const search = useStore($search)
  const names = useStore($cameraNames)
  if (search.state !== 'found') return null
  return search.answer.said.cameras.map(({ said: phrase, device_ids: [id = '', ...others] }) => {
    const label = (others.length === 0 && names.get(id)) || phrase
    const rest = removePhrase(search.query, phrase)
    if (rest === search.query) return null
    return (
      <button
        key={phrase}
        type="button"
        className="chip search-time"
        aria-pressed
        aria-label={`Remove camera: ${label}`}
        title={label}
        onClick={(press) => {
          focusMain(press.currentTarget)
          submitQuery(rest)
        }}
      >
        <Cctv size={16} aria-hidden />
        <span>{label}</span>
        <X size={16} aria-hidden />
      </button>
    )
  })
}
