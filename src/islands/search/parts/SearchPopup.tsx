import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $isClipOpen, openSearch } from '../../../stores/events/event-url.ts'
import { $isSearchAvailable } from '../../../stores/account/search-enrollment.ts'
import { $isSearchButtonHidden } from '../../../stores/shell/search-dialog.ts'
import { claimSearchPopup } from '../../../stores/search/search-popups.ts'
import { addStyleSheet } from '../../../ui/style-sheet.ts'
import { useIsPhone } from '../../../ui/use-media.ts'
import { OneTimeHint } from './OneTimeHint.tsx'

/** Hint that introduces the search once, beside the search entry. Hidden if the plan does not include the search. */
export function SearchPopup({ styles }: { styles: string }) {
  const isAvailable = useStore($isSearchAvailable)
  const [isShown, setShown] = useState(false)
  const isHidden = useStore($isSearchButtonHidden)
  // On phones, the clip covers the search entry.
  const isClipOpen = useStore($isClipOpen)
  const isPhone = useIsPhone()
  const isEntryVisible = !isHidden && !(isPhone && isClipOpen)
  useEffect(() => {
    if (!isAvailable || !isEntryVisible) return
    addStyleSheet(styles)
      .then(() => claimSearchPopup('search'))
      .then((isDue) => isDue && setShown(true))
      .catch(console.debug)
  }, [isAvailable, isEntryVisible, styles])
  const isVisible = isShown && isEntryVisible
  useEffect(() => {
    document.documentElement.toggleAttribute('data-search-hint', isVisible)
  }, [isVisible])
  if (!isVisible) return null
  return (
    <OneTimeHint className="search-hint-entry" onClose={() => setShown(false)}>
      <button type="button" onClick={openSearch}>
        Search your clips in your own words
      </button>
    </OneTimeHint>
  )
}
