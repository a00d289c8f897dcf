import { type RefObject, useLayoutEffect, useState } from 'react'

/** Returns the width of an element in CSS pixels; 0 before layout. */
export function useWidth(elementRef: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = elementRef.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [elementRef])
  return width
}
