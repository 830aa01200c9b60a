use super::super::cost::StepLoad;
use super::*;
use crate::reference::Reference;

fn machine<'a>(
    reference: &'a Reference,
    (model, precision, hardware): (&str, &str, &str),
    [tensor, data, expert]: [u32; 3],
) -> Machine<'a> {
    let model = reference.model(model).unwrap();
    Machine {
        model,
        checkpoint: model.checkpoint(precision).unwrap(),
        hardware: reference.hardware(hardware).unwrap(),
        layout: Layout { tensor, pipeline: 1, data, expert },
    }
}

/// `decoding` requests with `cached` tokens each.
fn decode(cost: &CostModel, decoding: u32, cached: u32) -> StepLoad {
    let mut load = StepLoad::default();
    for _ in 0..decoding {
        load.add(&cost.reaches, cached, 1, true);
    }
    load
}

/// What a step takes, and what it would take were only its arithmetic or only its traffic in the way. Both parts are checked,
/// since the smaller one does not show in the step.
fn assert_step(cost: &CostModel, loads: &[StepLoad], arithmetic: f64, traffic: f64, link: f64) {
    let with_memory = |factor: f64| {
        let memory_bytes_per_second = factor * cost.memory_bytes_per_second;
        CostModel { memory_bytes_per_second, ..cost.clone() }.step_seconds(loads)
    };
    assert_seconds(with_memory(f64::INFINITY), arithmetic + link);
    assert_seconds(with_memory(1e-6), 1e6 * traffic + link);
    assert_seconds(cost.step_seconds(loads), arithmetic.max(traffic) + link);
}

fn assert_seconds(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-13, "{found:e} is not {expected:e}");
}

/// ```python
/// h,H,K,d,L,E,k,I,V=2880,64,8,64,36,128,4,2880,201088
/// attn=L*(h*H*d + 2*h*K*d + H*d*h); router=L*h*E; expert=L*3*h*I; head=h*V; B=8
/// touched=E*(1-(1-k/E)**B)
/// mem=attn*2+router*2+head*2+touched*expert*4.25/8+B*(18*128+18*1001)*2*K*d*2+B*36*2*K*d*2
/// comp=(2*B*(attn+router+head)+2*B*k*expert+B*(18*128+18*1001)*4*H*d)/989e12
/// comp, mem/4.8e12                                          # 8.570399165217391e-05 3.560920463723361e-03
/// ```
#[test]
fn a_decode_step_of_gpt_oss_takes_what_a_hand_calculation_says() {
    let reference = Reference::embedded().unwrap();
    let cost = machine(&reference, ("gpt-oss-120b", "fp4", "h200"), [1, 1, 1]).cost_model().unwrap();
    let loads = [decode(&cost, 8, 1000)];
    assert_step(&cost, &loads, 8.570_399_165_217_391e-5, 3.560_920_463_723_361e-3, 0.0);
}

/// ```python
/// n,c=2048,4096; touched=E*(1-(1-k/E)**n)                   # the other names as above
/// full=sum(c+j for j in range(1,n+1)); win=sum(min(c+j,128) for j in range(1,n+1))
/// mem=attn*2+router*2+touched*expert*4.25/8+(18*128+18*c)*2*K*d*2+n*36*2*K*d*2
/// comp=(2*n*(attn+router)+2*n*k*expert+18*(full+win)*4*H*d)/989e12
/// comp, mem/4.8e12                                          # 2.205747577295854e-02 1.31579904e-02
/// ```
#[test]
fn a_prefill_chunk_of_gpt_oss_takes_what_a_hand_calculation_says() {
    let reference = Reference::embedded().unwrap();
    let cost = machine(&reference, ("gpt-oss-120b", "fp4", "h200"), [1, 1, 1]).cost_model().unwrap();
    let mut load = StepLoad::default();
    load.add(&cost.reaches, 4096, 2048, false);
    assert_step(&cost, &[load], 2.205_747_577_295_854e-2, 1.315_799_04e-2, 0.0);
}

/// ```python
/// h,H,q,kv,no,ro,va,L,E,k,I,Id,V=7168,64,1536,512,128,64,128,61,384,8,2048,18432,163840; t=4; nv=4.5/8
/// attn=L*(h*q+h*(kv+ro)+(q*H*(no+ro)+kv*H*(no+va)+H*va*h)/t)
/// dense=3*h*Id/t; shared=60*3*h*I/t; router=60*h*E; expert=60*3*h*I; head=h*V/t
/// B,n=16,1000; T=B+n; S=B+1; touched=E*(1-(1-k/E)**T); ent=kv+ro
/// mem=attn*2+(dense+shared)*nv+router*2+head*2+touched*expert*nv/t+B*5000*L*ent+T*L*ent
/// comp=2*T*attn/2250e12+2*T*(dense+shared)/9000e12+2*T*router/2250e12+2*S*head/2250e12+2*T*k*expert/t/9000e12
/// comp+=B*5000*L*2*(H/t)*(2*kv+ro)/2250e12+sum(range(1,n+1))*L*2*(H/t)*(no+ro+va)/2250e12
/// comp, mem/7.7e12, T*2*L*2*(t-1)/t*h*2/900e9  # 3.750956589966222e-03 1.965598127256684e-02 2.961626453333333e-03
/// ```
#[test]
fn a_mixed_step_of_kimi_takes_what_a_hand_calculation_says() {
    let reference = Reference::embedded().unwrap();
    let cost = machine(&reference, ("kimi-k2.5", "fp4", "b200"), [4, 1, 1]).cost_model().unwrap();
    let mut load = decode(&cost, 16, 4999);
    load.add(&cost.reaches, 0, 1000, true);
    assert_step(&cost, &[load], 3.750_956_589_966_222e-3, 1.965_598_127_256_684e-2, 2.961_626_453_333_333e-3);
}

/// ```python
/// h,H,K,d,L,E,k,I,Id,V=6144,64,4,128,60,128,4,3072,12288,200064; t,dp,ep=2,2,4
/// attn=L*(h*H*d*2/t+2*h*(K//t)*d)+57*h*128*(4//t+1); dense=3*3*h*Id/t; shared=57*3*h*I/t
/// router=57*h*E; expert=57*3*h*I; head=h*V/t; kvb=2*(K//t)*d*2; ib=128*2; T=8; touched=E*(1-(1-k/E)**T)
/// def rank(B):
///   ae=3*3001+57*2048
///   mem=attn*8.25/8+(dense+shared)*8.25/8+router*2+head*2+touched*expert*4.5/8/ep+B*(ae*kvb+57*3001*ib)+B*(60*kvb+57*ib)
///   comp=2*B*(attn+dense+shared)/4500e12+2*B*(router+head)/2250e12+2*T*k*expert/ep/14000e12
///   comp+=B*ae*4*(H/t)*d/2250e12+B*57*3001*2*(4//t)*128/2250e12
///   link=B*((2*L-57)*2*(t-1)/t*h*2+57*2*(ep-1)*(1-(1-1/ep)**k)*h*2/t)/900e9
///   return comp, mem/7.75e12, link
/// rank(5)                                      # 2.316226842819048e-05 2.667727222647794e-03 1.22808e-05, above rank(3)
/// ```
#[test]
fn replicas_in_lock_step_take_what_a_hand_calculation_says() {
    let reference = Reference::embedded().unwrap();
    let cost = machine(&reference, ("minimax-m3", "fp4", "b300"), [2, 2, 4]).cost_model().unwrap();
    let loads = [decode(&cost, 5, 3000), decode(&cost, 3, 3000)];
    for loads in [loads, [loads[1], loads[0]]] {
        assert_step(&cost, &loads, 2.316_226_842_819_048e-5, 2.667_727_222_647_794e-3, 1.228_08e-5);
    }
}

/// ```python
/// h,H,d,q,G,R,L,E,k,I,V=7168,128,512,1536,16,1024,61,384,6,3072,129280; t=4; B=T=4; c=9000
/// attn=L*(h*q+h*d+(q*H*d+H*d*R+G*R*h)/t)+31*2*h*d+30*(2*h*2*d+q*64*128+h*64+2*h*2*128)
/// shared=61*3*h*I/t; router=61*h*E; expert=61*3*h*I; head=h*V/t; touched=E*(1-(1-k/E)**T); ent=584
/// entries=61*128+31*c/128+30*1024
/// mem=attn+shared+router*2+head*2+touched*expert*4.25/8/t+B*(entries*ent+30*c/4*132)+B*(61*ent+31*ent/128+30*(ent+132)/4)
/// comp=2*B*(attn+shared)/4500e12+2*B*(router+head)/2250e12+2*B*k*expert/t/4500e12
/// comp+=B*entries*4*(H/t)*d/2250e12+B*30*c/4*2*64*128/2250e12
/// comp, mem/7.75e12, B*2*L*2*(t-1)/t*h*2/900e9 # 3.206949546666667e-05 2.696568926217742e-03 1.165994666666667e-05
/// ```
#[test]
fn a_decode_step_of_deepseek_v4_takes_what_a_hand_calculation_says() {
    let reference = Reference::embedded().unwrap();
    let cost = machine(&reference, ("deepseek-v4-pro", "fp4", "b300"), [4, 1, 1]).cost_model().unwrap();
    let loads = [decode(&cost, 4, 8999)];
    assert_step(&cost, &loads, 3.206_949_546_666_667e-5, 2.696_568_926_217_742e-3, 1.165_994_666_666_667e-5);
}

#[test]
fn a_better_machine_is_never_slower() {
    let reference = Reference::embedded().unwrap();
    let base = machine(&reference, ("kimi-k2.5", "fp4", "b200"), [4, 1, 1]).cost_model().unwrap();
    let mut mixed = decode(&base, 30, 4000);
    mixed.add(&base.reaches, 1000, 700, true);
    for load in [decode(&base, 1, 10), decode(&base, 200, 6000), mixed] {
        let slow = base.step_seconds(&[load]);
        let faster_memory =
            CostModel { memory_bytes_per_second: 2.0 * base.memory_bytes_per_second, ..base.clone() };
        let faster_links = CostModel { collective_seconds: base.collective_seconds / 2.0, ..base.clone() };
        let faster_cores = CostModel { token_seconds: base.token_seconds / 2.0, ..base.clone() };
        for better in [faster_memory, faster_links, faster_cores] {
            assert!(better.step_seconds(&[load]) <= slow);
        }
        let mut more = load;
        more.add(&base.reaches, 50, 1, true);
        assert!(base.step_seconds(&[more]) > slow);
    }
}

#[test]
fn four_bit_operands_are_widened_where_there_is_no_four_bit_arithmetic() {
    let reference = Reference::embedded().unwrap();
    let seconds = |hardware| {
        machine(&reference, ("minimax-m2.5", "fp4", hardware), [1, 1, 1])
            .cost_model()
            .unwrap()
            .experts
            .unwrap()
            .token_seconds
    };
    assert_seconds(seconds("h200") / seconds("b200"), 9000.0 / 989.0);
}

#[test]
fn layouts_that_cannot_be_expressed_are_refused_with_the_reason() {
    let reference = Reference::embedded().unwrap();
    let refusal = |facts, sizes| machine(&reference, facts, sizes).cost_model().unwrap_err();
    let gpt = ("gpt-oss-120b", "fp4", "h200");
    let llama = ("llama-3.1-70b-instruct", "fp8", "h200");
    for (facts, sizes, part) in [
        (gpt, [0, 1, 1], "size of 0"),
        (gpt, [16, 1, 1], "one node"),
        (("minimax-m2.5", "fp8", "h200"), [5, 1, 1], "48 attention heads"),
        (gpt, [2, 2, 1], "ep 1 over tp 2"),
        (gpt, [2, 2, 2], "ep 2 over tp 2"),
        (llama, [2, 2, 1], "without experts"),
        (llama, [2, 1, 2], "without experts"),
    ] {
        let message = refusal(facts, sizes);
        assert!(message.contains(part), "{message}");
    }
    let mut staged = machine(&reference, gpt, [2, 1, 1]);
    staged.layout.pipeline = 2;
    assert!(staged.cost_model().unwrap_err().contains("pp 2"));
}

#[test]
fn the_kv_pool_is_what_the_log_says_or_what_the_weights_leave() {
    let reference = Reference::embedded().unwrap();
    let settings = |recorded_tokens| KvSettings { block_size: 16, memory_share: 0.9, recorded_tokens };
    // 80 layers × 2 × 8 heads × 128 × 1 byte = 163,840 bytes a token.
    let llama = machine(&reference, ("llama-3.1-70b-instruct", "fp8", "h200"), [1, 1, 1]);
    let recorded = llama.kv_pool(settings(Some(100_007))).unwrap();
    assert_eq!(recorded.capacity_bytes, 100_000 * 163_840);
    assert_eq!(recorded.held_bytes(17), 32 * 163_840);
    // 141 GiB × 0.9 − (68,451,041,280 in fp8 + 2 × 1,050,673,152 in bf16).
    let left = llama.kv_pool(settings(None)).unwrap().capacity_bytes;
    assert_eq!(left, 136_257_837_465 - 68_451_041_280 - 2 * 2 * 1_050_673_152);
    // Layers that forget make the recorded number incomparable.
    let gpt = machine(&reference, ("gpt-oss-120b", "fp4", "h200"), [1, 1, 1]);
    let ignored = gpt.kv_pool(settings(Some(16))).unwrap();
    assert_eq!(ignored, gpt.kv_pool(settings(None)).unwrap());
    let window = KvWindow { blocks: 9, block_bytes: 18 * 16 * 2048 };
    assert_eq!((ignored.block_bytes, ignored.windows), (18 * 16 * 2048, vec![window]));
}

#[test]
fn a_model_that_does_not_fit_is_refused_with_the_two_sizes() {
    let reference = Reference::embedded().unwrap();
    let kimi = machine(&reference, ("kimi-k2.5", "fp4", "h100"), [4, 1, 1]);
    let settings = KvSettings { block_size: 16, memory_share: 0.9, recorded_tokens: None };
    let refusal = kimi.kv_pool(settings).unwrap_err();
    assert!(refusal.contains("GB of weights per GPU") && refusal.contains("77.3 GB of each"), "{refusal}");
    for settings in
        [KvSettings { block_size: 0, ..settings }, KvSettings { memory_share: f64::NAN, ..settings }]
    {
        assert!(kimi.kv_pool(settings).is_err());
    }
}
