// Two runs: every difference is B − A as the scorer has it, and swapping the runs mirrors it.
import { expect, test } from "../fixtures/index.ts";
import { common, count, decimal, grade, signed, type Figure } from "../fixtures/figures.ts";
import { metrics, tiers, type Change, type CompareRow } from "../fixtures/site.ts";
import type { Cell } from "../fixtures/dashboard.ts";

const figures: readonly Figure[] = ["signed_mean", "mape", "shape", "at_lowest", "at_highest"];

function arrow(delta: string): string {
  return delta.startsWith("+") ? "▲" : delta.startsWith("-") ? "▼" : "=";
}

/** The word under a difference. */
function word({ judgement, delta }: Change): string {
  const tiny = Number(decimal(delta)) === 0;
  switch (judgement) {
    case "better":
    case "worse":
      return tiny ? "under 0.05" : judgement;
    case "changed":
      return tiny ? "under 0.05" : "moved";
    case "noise":
      return "within noise";
    case "unsure":
      return "few sweeps";
    default:
      return judgement;
  }
}

function expectChange(cell: Cell | undefined, figure: Figure, change: Change, where: string): void {
  const plus = signed.includes(figure);
  const delta = decimal(change.delta, true);
  const coloured = ["better", "worse", "moved"].find((name) => name === word(change));
  expect(cell, where).toMatchObject({
    before: decimal(change.a, plus),
    value: decimal(change.b, plus),
    delta: `${arrow(delta)} ${delta}`,
    word: word(change),
    // Noise, and whatever is not shown to have changed, has no colour.
    classes: `delta ${coloured ?? "quiet"}`,
  });
}

test.describe("every difference is B − A by the scorer's own comparison", () => {
  let rows: CompareRow[] = [];
  test.beforeAll(async ({ site }) => {
    rows = await site.compare(site.older, site.newest);
  });

  for (const by of ["family", "hardware", "model"]) {
    test(`by ${by}, in every tier, with its judgement in word and colour`, async ({ dashboard, site }) => {
      await dashboard.compare(site.older, site.newest, `&by=${by}&est=roofline`);
      let changes = 0;
      for (const tier of tiers.filter((tier) => tier !== "strict")) {
        await dashboard.chooseTier(tier);
        await dashboard.judged();
        for (const metric of metrics) {
          const { rows: groups, total } = await dashboard.table(metric);
          const expected = rows.filter(
            ({ of }) =>
              of.estimator === "roofline" && of.tier === tier && of.metric === metric && [by, "all"].includes(of.by),
          );
          expect(groups.length + 1).toBe(expected.length);
          for (const shown of [...groups, total]) {
            const row = expected.find(({ of }) => of.key === shown.key && (shown === total) === (of.by === "all"));
            const where = `${metric} of ${shown.key} in ${tier}`;
            expect(shown.cells["sweeps"]?.value, where).toBe(count(row?.common.sweeps ?? -1));
            expect(shown.cells["points"]?.value, where).toBe(count(row?.common.points ?? -1));
            if (row === undefined || row.common.points === 0) {
              expect(shown.empty, where).toBeTruthy();
              continue;
            }
            expect(shown.cells["shape_points"]?.value, where).toBe(count(row.common.shape_points));
            for (const figure of figures) {
              expectChange(shown.cells[figure], figure, row[figure], `${where}: ${figure}`);
              changes += 1;
            }
          }
        }
      }
      expect(changes).toBeGreaterThan(40);
    });
  }
});

test("both runs' figures are those of the points that both scored", async ({ dashboard, site }) => {
  const [a, b] = [site.summary(site.older), site.summary(site.newest)];
  await dashboard.compare(site.older, site.newest, "&tier=all&by=engine_version");
  for (const metric of metrics) {
    const expected = common(a, b, { estimator: b.run.primary, tier: "all", by: "engine_version", metric });
    const { rows, total } = await dashboard.table(metric);
    expect([...rows, total].map(({ key }) => key)).toEqual([...expected.a.keys()]);
    for (const { key, cells } of [...rows, total]) {
      for (const figure of figures) {
        const [one, other] = [expected.a.get(key)?.[figure], expected.b.get(key)?.[figure]];
        const plus = signed.includes(figure);
        expect(cells[figure]?.before, `${key} ${figure}`).toBe(decimal(one, plus));
        expect(cells[figure]?.value, `${key} ${figure}`).toBe(decimal(other, plus));
        const delta = one === undefined || other === undefined ? undefined : decimal(other - one, true);
        expect(cells[figure]?.delta, `${key} ${figure}`).toBe(delta && `${arrow(delta)} ${delta}`);
      }
      const letters = [expected.a.get(key)?.mape, expected.b.get(key)?.mape].map((mape) => grade(mape, b.grading));
      expect([cells["grade"]?.before, cells["grade"]?.value]).toEqual(letters);
    }
  }
});

test("swapping the runs mirrors every sign, and better becomes worse", async ({ dashboard, site }) => {
  await dashboard.compare(site.older, site.newest);
  const before = await Promise.all(metrics.map((metric) => dashboard.table(metric)));
  await dashboard.swap.click();
  await expect.poll(() => dashboard.parameters().get("run")).toBe(site.newest.id);
  expect(dashboard.parameters().get("vs")).toBe(site.older.id);
  await dashboard.settled();
  await dashboard.judged();

  const mirror: Readonly<Record<string, string>> = {
    "▲": "▼",
    "▼": "▲",
    "+": "-",
    "-": "+",
    better: "worse",
    worse: "better",
  };
  for (const [position, metric] of metrics.entries()) {
    const after = await dashboard.table(metric);
    const pairs = [...(before[position]?.rows ?? []), before[position]?.total];
    let changes = 0;
    for (const row of pairs) {
      const other = [...after.rows, after.total].find(({ key }) => key === row?.key);
      for (const figure of figures) {
        const [one, two] = [row?.cells[figure], other?.cells[figure]];
        expect(two?.before).toBe(one?.value);
        expect(two?.value).toBe(one?.before);
        expect(two?.delta).toBe(one?.delta?.replaceAll(/[▲▼+-]/g, (sign) => mirror[sign] ?? sign));
        expect(two?.word).toBe(one?.word && (mirror[one.word] ?? one.word));
        changes += one?.delta?.startsWith("=") === false ? 1 : 0;
      }
    }
    expect(changes, `${metric}: something differs at all`).toBeGreaterThan(5);
  }
});

test("the sentence and the total rows say the same", async ({ dashboard, site }) => {
  await dashboard.compare(site.older, site.newest);
  for (const tier of ["measured-or-resolved", "all"] as const) {
    await dashboard.chooseTier(tier);
    await dashboard.judged();
    const text = (await dashboard.lead.innerText()).replaceAll("\u2212", "-");
    const groups: Record<string, number> = {};
    for (const metric of metrics) {
      const { rows, total } = await dashboard.table(metric);
      const { before, value, delta, word } = total.cells["mape"] ?? {};
      expect(text).toContain(
        before === value ? `stays at ${value} % (${delta}, ${word})` : `goes from ${before} % to ${value} % (${delta}, ${word})`,
      );
      for (const judged of ["better", "worse"]) {
        const has = rows.filter(({ cells }) => ["mape", "shape"].some((column) => cells[column]?.word === judged));
        groups[`${metric} ${judged}`] = has.length;
      }
    }
    const said = (number: number | undefined): string => (number === 0 ? "none" : String(number));
    for (const metric of metrics) {
      expect(text).toContain(
        `${metric.toUpperCase()} is better in ${said(groups[`${metric} better`])} and worse in ${said(groups[`${metric} worse`])}`,
      );
    }
  }
});

test("a run against itself differs nowhere", async ({ dashboard, site }) => {
  await dashboard.compare(site.newest, site.newest);
  for (const metric of metrics) {
    const { rows, total } = await dashboard.table(metric);
    for (const { key, cells } of [...rows, total]) {
      for (const figure of figures) {
        expect(cells[figure]?.delta ?? "= 0.0", `${key} ${figure}`).toBe("= 0.0");
        expect(cells[figure]?.before).toBe(cells[figure]?.value);
      }
    }
  }
});

test("estimators that the settings do not reach stay the same", async ({ dashboard, site }) => {
  await dashboard.compare(site.older, site.newest, "&est=aic");
  const { total } = await dashboard.table("tpot");
  expect(total.cells["mape"]).toMatchObject({ delta: "= 0.0", word: "same", classes: "delta quiet" });
});
