import type { PointerEvent as ReactPointerEvent } from 'react'

/** Whether a finger or the main button is down. What is let go over a menu of the system or another window ends with nothing else to tell. */
export const isPressed = ({ buttons }: { readonly buttons: number }): boolean => (buttons & 1) === 1

/** Whether a pointer still drags what has captured it. */
export const isDragging = (pointer: ReactPointerEvent): boolean =>
  isPressed(pointer) && pointer.currentTarget.hasPointerCapture(pointer.pointerId)
