import { useEffect } from 'react'
import { leaveAlone, showAlone } from '../../../stores/live-page.ts'

/** Keys of the page: 1 to 9 show that camera alone, Escape goes back, f fills the screen. */
export function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (/^[1-9]$/.test(event.key)) showAlone(Number(event.key) - 1)
      else if (event.key === 'f') fillScreen()
      else if (event.key !== 'Escape' || document.fullscreenElement || !leaveAlone()) return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, dialog, [popover]') !== null)
  )
}

/** The tile with the focus or under the mouse, else the first. */
function fillScreen(): void {
  const tile =
    document.querySelector('.live-tile:focus-within') ??
    document.querySelector('.live-tile:hover') ??
    document.querySelector('.live-tile')
  toggleFullScreen(tile)
}

export function toggleFullScreen(tile: Element | null): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else tile?.requestFullscreen().catch(() => undefined)
}
