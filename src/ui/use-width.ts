import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Returns the width of an element in CSS pixels; 0 before the first layout. The observer reports the width in the frame
 * that lays the element out: measuring earlier would force an extra layout.
 */
export function useWidth(elementRef: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = elementRef.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [elementRef])
  return width
}
