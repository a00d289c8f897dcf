import { useStore } from '@nanostores/react'
import X from 'lucide-react/icons/x'
import { type RefObject, useEffect, useRef } from 'react'
import { returnToPreviousRoute } from '../../../stores/events/event-tags.ts'
import { closeSearch } from '../../../stores/search/search-url.ts'
import {
  $enrollmentFailure,
  $isSearchAvailable,
  $videoSearchLogin,
  loadEnrollment,
} from '../../../stores/account/search-enrollment.ts'
import { $videoSearchSwitch } from '../../../stores/session/session.ts'
import { SearchIntro, SearchPlans } from './SearchIntro.tsx'
import { SearchScreen } from './SearchScreen.tsx'
import { SearchMessage } from './SearchMessage.tsx'

/** Search dialog below the page's header. The header stays usable while the dialog is open. */
export function SearchDialog() {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!element.current?.contains(document.activeElement)) heading.current?.focus()
  }, [])
  useCloseOnEscape()
  return (
    <dialog ref={element} open className="search-dialog" aria-labelledby="search-title">
      <div className="search-head">
        <h1 ref={heading} id="search-title" tabIndex={-1}>
          Search
        </h1>
        <button
          type="button"
          className="btn btn-sm btn-outline search-close"
          title="Close (Esc)"
          onClick={() => returnToPreviousRoute(closeSearch)}
        >
          <X size={18} aria-hidden />
          <span>Close</span>
        </button>
      </div>
      <SearchContent scroller={element} />
    </dialog>
  )
}

function SearchContent({ scroller }: { scroller: RefObject<HTMLElement | null> }) {
  const login = useStore($videoSearchLogin)
  const isOn = useStore($videoSearchSwitch)
  const isAvailable = useStore($isSearchAvailable)
  const onboardingFailure = useStore($enrollmentFailure)
  if (isOn) return <SearchScreen scroller={scroller} />
  if (onboardingFailure)
    return (
      <SearchMessage title="We couldn’t open search" text={onboardingFailure.text}>
        <button type="button" className="btn btn-outline" onClick={() => void loadEnrollment()}>
          Try again
        </button>
      </SearchMessage>
    )
  if (login === 0) return <div className="search-wait skeleton" role="status" aria-label="Opening search" />
  return isAvailable ? <SearchIntro /> : <SearchPlans />
}

/** Closes the search on Escape, unless the key closes a modal dialog or a popover. */
function useCloseOnEscape(): void {
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || key.defaultPrevented) return
      if (document.querySelector('dialog:modal, [popover]:popover-open')) return
      key.preventDefault()
      returnToPreviousRoute(closeSearch)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
