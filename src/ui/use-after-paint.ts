import { useEffect, useState } from 'react'

/** Calls `run` after the next paint. Returns a cancel function. */
export function runAfterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // The frame callback runs before the paint; the timer runs after it.
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Returns true after the first paint of the component. Use it to render slow content that can wait. */
export function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => runAfterPaint(() => setPainted(true)), [])
  return isPainted
}
