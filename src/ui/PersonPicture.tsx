import UserRound from 'lucide-react/icons/user-round'
import { useState } from 'react'
import type { HomePerson } from '../../contract/events/people.ts'

/** Thumbnail of a person's newest clip; an icon if there is no clip or the thumbnail does not load. */
export function PersonPicture({ person: { example }, size = 64 }: { person: HomePerson; size?: number }) {
  const [failedEventId, setFailedEventId] = useState('')
  const isShown = example !== null && example.event_id !== failedEventId
  return (
    <span className="person-picture" style={{ width: size, height: size }} aria-hidden="true">
      {isShown ? (
        <img
          src={`/m/thumb/${example.event_id}`}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onError={() => setFailedEventId(example.event_id)}
        />
      ) : (
        <UserRound size={size / 2} />
      )}
    </span>
  )
}
