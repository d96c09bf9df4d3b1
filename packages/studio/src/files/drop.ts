/** Takes files and folders that are dropped on the page. */

/** Limit on the files of a dropped folder, which a published world has for each tile. */
const MAX_DROPPED = 100_000;

/** Returns the files of a drop, including those in folders. */
async function filesOfDrop(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null));
  if (!entries.some((entry) => entry?.isDirectory === true)) return [...data.files];
  const files: File[] = [];
  const visit = async (entry: FileSystemEntry): Promise<void> => {
    if (files.length >= MAX_DROPPED) return;
    if (entry.isFile) {
      files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // A reader returns its entries in batches; an empty batch is the end.
    for (;;) {
      const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (batch.length === 0) return;
      for (const inner of batch) await visit(inner);
    }
  };
  for (const entry of entries) if (entry !== null) await visit(entry);
  return files;
}

/** Calls `onDrop` with the files dropped on `target`, and `onOver` when a drag enters or leaves it. */
export function acceptDrops(
  target: HTMLElement,
  onOver: (isOver: boolean) => void,
  onDrop: (files: File[]) => void,
): void {
  let depth = 0;
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
  target.addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (depth++ === 0) onOver(true);
  });
  target.addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  target.addEventListener('dragleave', (event) => {
    if (hasFiles(event) && --depth <= 0) {
      depth = 0;
      onOver(false);
    }
  });
  target.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    onOver(false);
    void filesOfDrop(event.dataTransfer!).then(onDrop);
  });
}
