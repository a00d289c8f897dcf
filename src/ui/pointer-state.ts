import type { PointerEvent as ReactPointerEvent } from 'react'

/**
 * True if a finger or the main button is down. If it is released over a system menu or another window, the page gets no
 * event for the release.
 */
export const isPressed = ({ buttons }: { readonly buttons: number }): boolean => (buttons & 1) === 1

/** True if a pointer still drags the element that captured it. */
export const isDragging = (pointer: ReactPointerEvent): boolean =>
  isPressed(pointer) && pointer.currentTarget.hasPointerCapture(pointer.pointerId)
