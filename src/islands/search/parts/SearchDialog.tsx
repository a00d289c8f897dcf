import { useStore } from '@nanostores/react'
import X from 'lucide-react/icons/x'
import { type RefObject, useEffect, useRef } from 'react'
import { goBack } from '../../../stores/events/event-tags.ts'
import { closeSearch } from '../../../stores/search/search-url.ts'
import {
  $onboardingTrouble,
  $searchAvailable,
  $videoSearchLogin,
  loadOnboarding,
} from '../../../stores/account/search-enrollment.ts'
import { $videoSearchSwitch } from '../../../stores/session/session.ts'
import { SearchIntro, SearchPlans } from './SearchIntro.tsx'
import { SearchScreen } from './SearchScreen.tsx'
import { SearchTrouble } from './SearchMessage.tsx'

/** Search dialog below the page's header. The header stays usable while the dialog is open. */
export function SearchDialog() {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // Focuses the heading, unless a child of the dialog already has the focus.
  useEffect(() => {
    if (!element.current?.contains(document.activeElement)) heading.current?.focus()
  }, [])
  useEscape()
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
          onClick={() => goBack(closeSearch)}
        >
          <X size={18} aria-hidden />
          <span>Close the search</span>
        </button>
      </div>
      <Content scroller={element} />
    </dialog>
  )
}

function Content({ scroller }: { scroller: RefObject<HTMLElement | null> }) {
  const login = useStore($videoSearchLogin)
  const isOn = useStore($videoSearchSwitch)
  const isAvailable = useStore($searchAvailable)
  const trouble = useStore($onboardingTrouble)
  if (isOn) return <SearchScreen scroller={scroller} />
  if (trouble)
    return (
      <SearchTrouble title="The search did not open" text={trouble.text}>
        <button type="button" className="btn btn-outline" onClick={() => void loadOnboarding()}>
          Try again
        </button>
      </SearchTrouble>
    )
  if (login === 0) return <div className="search-wait skeleton" role="status" aria-label="Opening the search" />
  return isAvailable ? <SearchIntro /> : <SearchPlans />
}

/** Escape closes the search, unless the key closes something in front of the search. */
function useEscape(): void {
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || key.defaultPrevented) return
      if (document.querySelector('dialog:modal, [popover]:popover-open')) return
      key.preventDefault()
      goBack(closeSearch)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
