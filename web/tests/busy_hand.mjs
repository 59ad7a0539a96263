// A hand that scrolls, drags, types and points on a long text, and what comes of it: the same whether or not the page computes
// meanwhile. W_query is what it edits, since everything follows from it.
import { cellArea, click, middleOf, PLACES } from './person.mjs';

const RENAME = [300, 133]; // in the list of sessions, of one that is no preset
const N_ZOOMS = 12, N_PANS = 6, N_DRAGS = 8, N_MOVES = 8;
const [WHEEL_ZOOM, WHEEL_PAN] = [-150, -50]; // of the 100 that are a notch
const DRAGGED_pt = 60;

export const EXPECTED = {
  zoomedBy: 1.1275 ** ((-N_ZOOMS * WHEEL_ZOOM) / 100),
  pannedBy: (-N_PANS * WHEEL_PAN * 40) / 100, // points to the right
  typed: { cell: [31, 31], value: -12.625 },
  dragged: { cell: [33, 30], by: 0.5 },
  title: 'Typed while it computes: äöü 0123456789',
};

const middle = (page, cell) => middleOf(page, 'W_query', ...cell);

// How far apart, in points, cells of W_query are seen, and where.
async function place(page) {
  const [first, last] = [await cellArea(page, 'W_query', 30, 30), await cellArea(page, 'W_query', 32, 32)];
  return { pitch: (last.x - first.x) / 2, x: first.x };
}

// Where the hand goes is looked up before, what it has brought about afterwards: that draws frames of its own.
export const ACTS = {
  zoom: {
    before: async (page) => ({ ...(await place(page)), at: await middle(page, [32, 32]) }),
    async act(page, { at }) {
      await page.mouse.move(...at);
      for (let i = 0; i < N_ZOOMS; ++i) await page.mouse.wheel(0, WHEEL_ZOOM);
    },
    after: async (page, { pitch }) => ({ zoomedBy: (await place(page)).pitch / pitch }),
  },
  pan: {
    before: place,
    async act(page) {
      for (let i = 0; i < N_PANS; ++i) await page.mouse.wheel(WHEEL_PAN, 0);
    },
    after: async (page, { x }) => ({ pannedBy: (await place(page)).x - x }),
  },
  drag: {
    before: async (page) => ({ at: await middle(page, EXPECTED.dragged.cell) }),
    async act(page, { at: [x, y] }) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let i = 1; i <= N_DRAGS; ++i) await page.mouse.move(x + (DRAGGED_pt * i) / N_DRAGS, y);
      await page.mouse.up();
    },
  },
  typeNumber: {
    before: async (page) => ({ at: await middle(page, EXPECTED.typed.cell) }),
    async act(page, { at }) {
      await page.mouse.click(...at);
      await page.keyboard.type(String(EXPECTED.typed.value));
      await page.keyboard.press('Enter');
    },
  },
  typeTitle: {
    async act(page) {
      await click(page, PLACES.session);
      await click(page, RENAME);
      await page.keyboard.type(EXPECTED.title);
      await page.keyboard.press('Enter');
    },
  },
  point: {
    before: async (page) => ({ at: await middle(page, [34, 31]) }),
    async act(page, { at: [x, y] }) {
      for (let i = N_MOVES; i >= 0; --i) await page.mouse.move(x + 6 * Math.sin(i), y + 30 * i);
    },
    after: async (page) => ({ status: await page.evaluate(() => attentionLab.status()) }),
  },
};

// Once all is done: what stands in the document.
export async function written(page) {
  const { title, tensors } = JSON.parse(await page.evaluate(() => attentionLab.session()));
  return { title, W_query: tensors.W_query };
}
