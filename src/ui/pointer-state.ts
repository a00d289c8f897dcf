import type { PointerEvent as ReactPointerEvent } from 'react'

/**
 * Returns true if a finger or the main button is down. Check it on each event: after a release over a system menu or
 * another window, the page gets no release event.
 */
export const isPressed = ({ buttons }: { readonly buttons: number }): boolean => (buttons & 1) === 1

/** Returns true if a pointer still drags the element that captured it. */
export const isDragging = (pointer: ReactPointerEvent): boolean =>
  isPressed(pointer) && pointer.currentTarget.hasPointerCapture(pointer.pointerId)
