import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

/**
 * Returns the time in ms, rounded down to seconds. The clock stops on a hidden page and updates when the page is
 * visible again.
 */
export function useClock(): number {
  return useSyncExternalStore(subscribeToSeconds, () => Math.floor(Date.now() / 1000) * 1000)
}

function subscribeToSeconds(onChange: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const restartTimer = () => {
    clearInterval(timer)
    timer = document.hidden ? undefined : setInterval(onChange, 500)
    onChange()
  }
  restartTimer()
  document.addEventListener('visibilitychange', restartTimer)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', restartTimer)
  }
}

/** Keeps the screen on while the page is visible. Returns true while the browser holds the wake lock. */
export function useWakeLock(): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let isUnmounted = false
    const requestWakeLock = async () => {
      if (document.hidden || !('wakeLock' in navigator)) return
      try {
        lock = await navigator.wakeLock.request('screen')
        if (isUnmounted) return void lock.release()
        setHeld(true)
        lock.addEventListener('release', () => setHeld(false))
      } catch {
        // The browser rejected the wake lock, for example because the battery is low. The wall then omits "Screen stays
        // on".
      }
    }
    const onVisibilityChange = () => void requestWakeLock()
    void requestWakeLock()
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      isUnmounted = true
      document.removeEventListener('visibilitychange', onVisibilityChange)
      void lock?.release()
    }
  }, [])
  return isHeld
}

/** Returns `ref` and the size of the element with this ref, px; 0 by 0 until the first measurement. */
export function useSize<Element extends HTMLElement>() {
  const ref = useRef<Element>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, ...size }
}
