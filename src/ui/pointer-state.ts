import type { PointerEvent as ReactPointerEvent } from 'react'

/**
 * Returns true if a finger or the main button is down. Call this on each pointer event, because the page gets no event
 * for a release over a system menu or another window.
 */
export const isPressed = ({ buttons }: { readonly buttons: number }): boolean => (buttons & 1) === 1

/** Returns true if a pointer still drags the element that captured it. */
export const isDragging = (pointer: ReactPointerEvent): boolean =>
  isPressed(pointer) && pointer.currentTarget.hasPointerCapture(pointer.pointerId)
