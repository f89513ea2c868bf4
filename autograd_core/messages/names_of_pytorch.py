"""Names that PyTorch has, and this package has not; `tests.parity.names` writes them."""

NAMES = {
    "torch": """
    AcceleratorError BFloat16Storage BFloat16Tensor BoolStorage ByteStorage CharStorage
    ComplexDoubleStorage ComplexFloatStorage DisableTorchFunction DisableTorchFunctionSubclass
    DoubleStorage FatalError FloatStorage HalfStorage IntStorage JITException LongStorage
    OutOfMemoryError QInt32Storage QInt8Storage QUInt2x4Storage QUInt4x2Storage QUInt8Storage
    ShortStorage Storage StorageBase SymBool SymFloat SymInt acosh acosh_ adaptive_avg_pool1d
    adaptive_max_pool1d addbmm addmv addmv_ addr affine_grid_generator alias_copy alpha_dropout
    alpha_dropout_ ao arccosh arccosh_ arcsinh arcsinh_ arctanh arctanh_ as_strided_copy
    as_strided_scatter asinh asinh_ atanh atanh_ atleast_3d autocast_decrement_nesting
    autocast_increment_nesting bartlett_window batch_norm batch_norm_backward_elemt
    batch_norm_backward_reduce batch_norm_elemt batch_norm_gather_stats
    batch_norm_gather_stats_with_counts batch_norm_stats batch_norm_update_stats bilinear
    binary_cross_entropy_with_logits bincount binomial bit bits16 bits1x8 bits2x4 bits4x2 bits8
    blackman_window block_diag bucketize cartesian_prod ccol_indices_copy cdist chain_matmul
    channel_shuffle channels_last channels_last_3d choose_qparams_optimized classes
    classproperty clear_autocast_cache col_indices_copy column_stack combinations
    compiled_with_cxx11_abi conj_physical_ constant_pad_nd conv_tbc conv_transpose1d
    conv_transpose3d convolution copysign corrcoef cosine_embedding_loss cov cpp cpu
    crow_indices_copy ctc_loss cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution
    cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose
    cudnn_grid_sampler cudnn_is_acceptable cumulative_trapezoid deg2rad deg2rad_ detach_copy
    diagflat diagonal_copy diagonal_scatter diff digamma distributions dropout dropout_ dsmm
    dsplit dstack embedding embedding_bag embedding_renorm_ empty_permuted empty_quantized erfc
    erfc_ erfinv expand_copy fake_quantize_per_channel_affine fake_quantize_per_tensor_affine
    fbgemm_linear_fp16_weight fbgemm_linear_fp16_weight_fp32_activation
    fbgemm_linear_int8_weight fbgemm_linear_int8_weight_fp32_activation
    fbgemm_linear_quantize_weight fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix
    feature_alpha_dropout feature_alpha_dropout_ feature_dropout feature_dropout_ fill
    float4_e2m1fn_x2 float8_e8m0fnu float_power fork frac frac_ frexp frobenius_norm from_dlpack
    from_file frombuffer functional fused_moving_avg_obs_fake_quant futures gcd gcd_
    get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype get_autocast_ipu_dtype
    get_autocast_xla_dtype get_deterministic_debug_mode get_device_module get_file_path
    get_num_interop_threads gradient grid_sampler grid_sampler_2d grid_sampler_3d group_norm gru
    gru_cell hamming_window hann_window hardshrink hash_tensor heaviside hinge_embedding_loss
    histc histogram histogramdd hsmm i0 i0_ igamma igammac import_ir_module
    import_ir_module_from_buffer index_reduce indices_copy init_num_threads instance_norm int1
    int2 int3 int4 int5 int6 int7 is_autocast_cache_enabled is_autocast_cpu_enabled
    is_autocast_enabled is_autocast_ipu_enabled is_autocast_xla_enabled is_distributed
    is_storage is_vulkan_available isreal jagged kaiser_window kl_div layer_norm lcm lcm_ ldexp
    ldexp_ legacy_contiguous_format lgamma logaddexp logaddexp2 logcumsumexp logit logit_ lstm
    lstm_cell margin_ranking_loss max_pool1d_with_indices merge_type_from_type_comment meshgrid
    miopen_batch_norm miopen_convolution miopen_convolution_add_relu miopen_convolution_relu
    miopen_convolution_transpose miopen_ctc_loss miopen_depthwise_convolution miopen_rnn
    mkldnn_adaptive_avg_pool2d mkldnn_convolution mkldnn_linear_backward_weights
    mkldnn_max_pool2d mkldnn_max_pool3d mkldnn_rnn_layer monitor msort multinomial mvlgamma
    nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum narrow_copy native_batch_norm
    native_channel_shuffle native_dropout native_group_norm native_layer_norm native_norm
    nextafter nonzero_static norm_except_dim nuclear_norm pairwise_distance parse_ir
    parse_schema parse_type_comment pdist per_channel_affine per_channel_affine_float_qparams
    per_channel_symmetric per_tensor_affine per_tensor_symmetric permute_copy pixel_shuffle
    pixel_unshuffle poisson poisson_nll_loss polygamma prelu prepare_multiprocessing_environment
    profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 q_per_channel_axis q_per_channel_scales
    q_per_channel_zero_points quantile quantization quantize_per_tensor_dynamic
    quantized_batch_norm quantized_gru quantized_gru_cell quantized_lstm quantized_lstm_cell
    quantized_max_pool1d quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell
    quantized_rnn_tanh_cell quasirandom quint2x4 quint4x2 rad2deg rad2deg_ range renorm
    resize_as_sparse_ rms_norm rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell rot90
    row_indices_copy rrelu rrelu_ saddmm searchsorted segment_reduce select_copy select_scatter
    serialization set_autocast_cache_enabled set_autocast_cpu_dtype set_autocast_cpu_enabled
    set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype set_autocast_ipu_dtype
    set_autocast_ipu_enabled set_autocast_xla_dtype set_autocast_xla_enabled
    set_deterministic_debug_mode set_flush_denormal set_num_interop_threads sinc sinc_
    slice_copy slice_inverse slice_scatter sparse_bsc sparse_bsr split_copy
    split_with_sizes_copy spmm squeeze_copy sym_constrain_range sym_constrain_range_for_size
    sym_float sym_fresh_size sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum symeig
    t_copy tensordot thread_safe_generator threshold threshold_ to_dlpack torch_version
    transpose_copy trapezoid trapz tril_indices triplet_margin_loss triu_indices types uint1
    uint2 uint3 uint4 uint5 uint6 uint7 unbind_copy unfold_copy unify_type_list unique
    unique_consecutive unravel_index unsqueeze_copy values_copy vander vdot version
    view_as_complex_copy view_as_real_copy view_copy wait while_loop windows xlogy_
    """,
    "torch.Tensor": """
    acosh acosh_ addbmm addbmm_ addmv addmv_ addr addr_ apply_ arccosh arccosh_ arcsinh arcsinh_
    arctanh arctanh_ as_strided_scatter asinh asinh_ atanh atanh_ bincount cauchy_ ccol_indices
    col_indices conj_physical_ const_data_ptr copysign copysign_ corrcoef cov crow_indices
    deg2rad deg2rad_ dense_dim diagflat diagonal_scatter diff digamma digamma_ dim_order dsplit
    erfc erfc_ erfinv erfinv_ fill_diagonal_ float_power float_power_ frac frac_ frexp gcd gcd_
    geometric_ hardshrink hash_tensor heaviside heaviside_ histc histogram i0 i0_ igamma igamma_
    igammac igammac_ index index_reduce index_reduce_ indices is_distributed isreal lcm lcm_
    ldexp ldexp_ lgamma lgamma_ log_normal_ logaddexp logaddexp2 logcumsumexp logit logit_ map2_
    map_ module_load msort multinomial mvlgamma mvlgamma_ nan_to_num nan_to_num_ nanmean
    nanmedian nanquantile nansum narrow_copy nextafter nextafter_ nonzero_static polygamma
    polygamma_ prelu q_per_channel_axis q_per_channel_scales q_per_channel_zero_points quantile
    rad2deg rad2deg_ reinforce renorm renorm_ resize resize_as resize_as_sparse_ rot90
    row_indices select_scatter sinc sinc_ slice_inverse slice_scatter sparse_dim sparse_resize_
    sparse_resize_and_clear_ storage_type symeig to_mkldnn to_padded_tensor to_sparse_bsc
    to_sparse_bsr to_sparse_csc unfold unique unique_consecutive values vdot
    """,
    "torch.autograd": """
    handle_torch_function has_torch_function is_tensor_like is_view_replay_enabled
    kineto_available
    """,
    "torch.linalg": """
    LinAlgError diagonal ldl_factor ldl_factor_ex ldl_solve lu_factor_ex solve_ex vander vecdot
    """,
    "torch.nn": """
    AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss AdaptiveMaxPool1d AdaptiveMaxPool3d
    AlphaDropout Bilinear CTCLoss ChannelShuffle CircularPad1d CircularPad2d CircularPad3d
    ConstantPad1d ConstantPad2d ConstantPad3d Container CosineEmbeddingLoss CosineSimilarity
    CrossMapLRN2d DataParallel Dropout3d FeatureAlphaDropout FractionalMaxPool2d
    FractionalMaxPool3d GLU GaussianNLLLoss GroupNorm Hardshrink Hardsigmoid Hardswish
    HingeEmbeddingLoss InstanceNorm1d InstanceNorm2d InstanceNorm3d KLDivLoss LPPool1d LPPool2d
    LPPool3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d
    LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d
    LazyInstanceNorm2d LazyInstanceNorm3d LazyLinear LinearCrossEntropyLoss
    LinearCrossEntropyOptions LocalResponseNorm MarginRankingLoss MaxUnpool1d MaxUnpool2d
    MaxUnpool3d MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss2d PReLU
    PairwiseDistance ParameterDict PixelUnshuffle PoissonNLLLoss RMSNorm RNNBase RNNCellBase
    RReLU ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d
    ReplicationPad3d SoftMarginLoss Softmax2d Softshrink SyncBatchNorm Tanhshrink Threshold
    TripletMarginLoss TripletMarginWithDistanceLoss UninitializedBuffer UninitializedParameter
    UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d attention
    common_types factory_kwargs grad intrinsic parallel qat quantizable quantized
    """,
    "torch.nn.functional": """
    BroadcastingList1 BroadcastingList2 BroadcastingList3 adaptive_avg_pool1d
    adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool1d_with_indices adaptive_max_pool2d
    adaptive_max_pool2d_with_indices adaptive_max_pool3d adaptive_max_pool3d_with_indices
    affine_grid alpha_dropout assert_int_or_pair bilinear boolean_dispatch channel_shuffle
    conv_tbc conv_transpose1d conv_transpose3d cosine_embedding_loss ctc_loss dropout1d
    dropout2d dropout3d embedding_bag feature_alpha_dropout fold fractional_max_pool2d
    fractional_max_pool2d_with_indices fractional_max_pool3d fractional_max_pool3d_with_indices
    gaussian_nll_loss glu grad grid_sample group_norm grouped_mm gumbel_softmax
    handle_torch_function hardshrink hardsigmoid hardswish has_torch_function
    has_torch_function_unary has_torch_function_variadic hinge_embedding_loss instance_norm
    kl_div linear_cross_entropy local_response_norm lp_pool1d lp_pool2d lp_pool3d
    margin_ranking_loss max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices
    max_unpool1d max_unpool2d max_unpool3d multi_head_attention_forward multi_margin_loss
    multilabel_margin_loss multilabel_soft_margin_loss native_channel_shuffle pairwise_distance
    pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu rms_norm rrelu rrelu_
    scaled_grouped_mm scaled_mm soft_margin_loss softshrink tanhshrink threshold threshold_
    triplet_margin_loss triplet_margin_with_distance_loss unfold upsample upsample_bilinear
    upsample_nearest
    """,
    "torch.nn.init": """
    dirac dirac_
    """,
    "torch.nn.utils": """
    clip_grad clip_grad_norm convert_conv2d_weight_memory_format
    convert_conv3d_weight_memory_format convert_parameters fuse_conv_bn_eval
    fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights fusion init memory_format
    parametrizations parametrize remove_spectral_norm remove_weight_norm rnn skip_init
    spectral_norm stateless weight_norm
    """,
    "torch.optim": """
    ASGD Adadelta Adafactor Adagrad Adamax LBFGS Muon NAdam RAdam RMSprop Rprop SparseAdam
    swa_utils swap_in_optimizer_params_and_state
    """,
    "torch.optim.lr_scheduler": """
    ChainedScheduler ConstantLR CosineAnnealingWarmRestarts CyclicLR LinearLR MultiStepLR
    MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau SequentialLR
    """,
    "torch.utils": """
    ThroughputBenchmark backcompat backend_registration collect_env cpp_backtrace data
    deterministic dlpack generate_methods_for_privateuse1_backend get_cpp_backtrace
    rename_privateuse1_backend set_module swap_tensors throughput_benchmark weak
    """,
}
