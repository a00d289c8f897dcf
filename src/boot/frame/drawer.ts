import { DESKTOP_BREAKPOINT_PX } from '../../../contract/wire/constants.ts'

/**
 * Keeps focus inside the open drawer, and closes the drawer when the window crosses the desktop breakpoint. The browser
 * handles opening, closing and Esc (popover).
 */
export function trapFocusInDrawer(): void {
  const drawer = document.getElementById('drawer')
  if (!drawer) return
  const siblings = [...document.body.children].filter((element): element is HTMLElement => element !== drawer)
  const setInert = (inert: boolean) => siblings.forEach((element) => (element.inert = inert))
  drawer.addEventListener('beforetoggle', (event) => {
    if (event.newState === 'closed') setInert(false)
  })
  let release: (() => void) | undefined
  drawer.addEventListener('toggle', (event) => {
    release?.()
    release = undefined
    if (event.newState !== 'open') return
    setInert(true)
    void import('./focus-trap.ts').then(({ trapFocus }) => {
      if (drawer.matches(':popover-open')) release = trapFocus(drawer)
    })
  })
  matchMedia(`(width >= ${DESKTOP_BREAKPOINT_PX}px)`).addEventListener('change', () => drawer.hidePopover())
}
