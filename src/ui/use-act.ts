import { useRef, useState } from 'react'

/** One action at a time: a second press while it runs does nothing. `text` is what went wrong, '' when nothing did. */
export function useAct(): { isBusy: boolean; text: string; run: (act: () => Promise<string>) => Promise<boolean> } {
  const running = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [text, setText] = useState('')
  async function run(act: () => Promise<string>): Promise<boolean> {
    if (running.current) return false
    running.current = true
    setIsBusy(true)
    const said = await act()
    running.current = false
    setIsBusy(false)
    setText(said)
    return said === ''
  }
  return { isBusy, text, run }
}
