import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $isClipOpen, openSearch } from '../../../stores/events/event-url.ts'
import { $searchAvailable } from '../../../stores/account/search-enrollment.ts'
import { $isEntryHidden } from '../../../stores/shell/search-dialog.ts'
import { claimPopup } from '../../../stores/search/search-popups.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import { useIsPhone } from '../../../ui/use-media.ts'
import { OneTimeHint } from './OneTimeHint.tsx'

/** One-time hint beside the search entry that introduces the search. Not shown if the plan does not include it. */
export function SearchPopup({ styles }: { styles: string }) {
  const isAvailable = useStore($searchAvailable)
  const [isShown, show] = useState(false)
  const isHidden = useStore($isEntryHidden)
  // On phones, the clip covers the search entry.
  const isCovered = useStore($isClipOpen)
  const isPhone = useIsPhone()
  const isInSight = !isHidden && !(isPhone && isCovered)
  useEffect(() => {
    if (!isAvailable || !isInSight) return
    addStyleSheet(styles)
      .then(() => claimPopup('search'))
      .then((isDue) => isDue && show(true))
      .catch(console.debug)
  }, [isAvailable, isInSight, styles])
  if (!isShown || !isInSight) return null
  return (
    <OneTimeHint className="search-hint-entry" onClose={() => show(false)}>
      <button type="button" onClick={openSearch}>
        Search your video with a sentence
      </button>
    </OneTimeHint>
  )
}
