import Download from 'lucide-react/icons/download'
import { type MouseEvent, useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { clipFileName } from '../../../domain/events/download-file-names.ts'
import { downloadClip } from '../../../stores/events/clip-download.ts'

export function DownloadClip({ event, camera }: { event: Event; camera: string }) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const fileName = clipFileName(event, camera)
  const href = `/m/clip/${event.event_id}`

  async function save(click: MouseEvent): Promise<void> {
    click.preventDefault()
    if (state === 'busy') return
    setState('busy')
    setState((await downloadClip(event.event_id, fileName)) ? 'failed' : 'idle')
  }

  return (
    <a href={href} download={fileName} onClick={(click) => void save(click)} className="clip-action clip-download">
      {state === 'busy' ? <span className="spinner" /> : <Download size={18} aria-hidden />}
      <span aria-live="polite">
        {state === 'busy' ? 'Downloading…' : state === 'failed' ? 'Try again' : 'Download'}
      </span>
    </a>
  )
}
