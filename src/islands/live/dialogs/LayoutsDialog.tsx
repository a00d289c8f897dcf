import { formatCameraCount } from '../../../domain/copy/counts.ts'
import { useStore } from '@nanostores/react'
import { useEffect, useState, type FormEvent } from 'react'
import { LAYOUT_NAME_MAX, type SavedLayout } from '../../../../contract/live/saved-layouts.ts'
import { closeLiveDialog } from '../../../stores/live/camera-dialog.ts'
import {
  $savedLayouts,
  deleteLayout,
  canSaveMoreLayouts,
  loadSavedLayouts,
  renameLayout,
  saveLayout,
  applyLayout,
} from '../../../stores/live/saved-layouts.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { Field } from '../../../ui/Field.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Dialog for showing, saving, renaming and deleting the account's saved layouts. */
export function LayoutsDialog() {
  const layouts = useStore($savedLayouts)
  const { failure, run } = useAction()
  useEffect(() => void run(loadSavedLayouts), []) // eslint-disable-line react-hooks/exhaustive-deps
  return (
    <Dialog
      title="Saved layouts"
      note={<p>A layout saves the arrangement, the cameras, and their order. You can use layouts in any browser.</p>}
      onClose={closeLiveDialog}
    >
      {failure && !layouts && <LoadError text={failure.text} onRetry={() => void run(loadSavedLayouts)} />}
      {!failure && !layouts && <p className="text-small">Loading…</p>}
      {layouts && <SaveLayoutForm layouts={layouts} />}
      {layouts && layouts.length > 0 && (
        <ul className="share-list" aria-label="Saved layouts">
          {layouts.map((layout) => (
            <LayoutItem key={layout.name} layout={layout} />
          ))}
        </ul>
      )}
      {layouts?.length === 0 && <p className="text-small">No saved layouts yet.</p>}
    </Dialog>
  )
}

function SaveLayoutForm({ layouts }: { layouts: readonly SavedLayout[] }) {
  const [name, setName] = useState('')
  const { isBusy, failure, run } = useAction()
  const nameExists = layouts.some((layout) => layout.name === name.trim())
  if (!canSaveMoreLayouts(layouts) && !nameExists && name === '')
    return <p className="text-small">Limit reached. Delete a layout to save another.</p>
  async function save(event: FormEvent) {
    event.preventDefault()
    if (await run(() => saveLayout(name))) setName('')
  }
  return (
    <form className="share-form" onSubmit={(event) => void save(event)}>
      <Field
        label="Save current layout as"
        required
        pattern=".*\S.*"
        maxLength={LAYOUT_NAME_MAX}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
        hint={nameExists && 'A layout with this name already exists. Saving will replace it.'}
        besideInput={
          <button type="submit" className="btn btn-primary" aria-disabled={isBusy}>
            {isBusy ? 'Saving…' : 'Save'}
          </button>
        }
      />
      <InlineError failure={failure} />
    </form>
  )
}

const LAYOUT_MODE_NAMES = { automatic: 'Automatic', focus: 'Focus', grid: 'Grid' }

function LayoutItem({ layout }: { layout: SavedLayout }) {
  const { name, mode, shown: cameraIds } = layout
  const [isRenaming, setRenaming] = useState(false)
  const { isBusy, failure, run } = useAction()
  async function showAndClose() {
    if (await run(() => applyLayout(layout))) closeLiveDialog()
  }
  if (isRenaming) return <RenameLayoutForm name={name} onDone={() => setRenaming(false)} />
  const cameras = cameraIds.length === 0 ? 'All cameras' : formatCameraCount(cameraIds.length)
  return (
    <li>
      <span>
        <b>{name}</b>
        <small>
          {LAYOUT_MODE_NAMES[mode]} · {cameras}
        </small>
        <InlineError failure={failure} />
      </span>
      <button
        type="button"
        className="btn btn-sm btn-outline"
        aria-label={`Show ${name}`}
        onClick={() => void showAndClose()}
      >
        Show
      </button>
      <button
        type="button"
        className="btn btn-sm btn-outline"
        aria-label={`Rename ${name}`}
        onClick={() => setRenaming(true)}
      >
        Rename
      </button>
      <button
        type="button"
        className="btn btn-sm btn-danger"
        aria-label={`Delete ${name}`}
        aria-disabled={isBusy}
        onClick={() => void run(() => deleteLayout(name))}
      >
        Delete
      </button>
    </li>
  )
}

function RenameLayoutForm({ name, onDone }: { name: string; onDone: () => void }) {
  const [newName, setNewName] = useState(name)
  const { isBusy, failure, run } = useAction()
  async function save(event: FormEvent) {
    event.preventDefault()
    if (newName.trim() === name || (await run(() => renameLayout(name, newName)))) onDone()
  }
  return (
    <li>
      <form className="share-form layout-rename" onSubmit={(event) => void save(event)}>
        <Field
          label={`New name for ${name}`}
          autoFocus
          required
          pattern=".*\S.*"
          maxLength={LAYOUT_NAME_MAX}
          autoComplete="off"
          value={newName}
          onChange={({ target }) => setNewName(target.value)}
          besideInput={
            <button type="submit" className="btn btn-primary" aria-disabled={isBusy}>
              {isBusy ? 'Saving…' : 'Rename'}
            </button>
          }
        />
        <InlineError failure={failure} />
      </form>
    </li>
  )
}
